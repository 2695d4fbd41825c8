import { createInterface } from 'node:readline'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { JURY } from '../../benchmark/new-benchmark.ts'
import { formMetrics, requireFree, requireMetrics, type Wanted } from '../../benchmark/wanted.ts'
import { formatProblems } from '../output/print-problems.ts'

/** Asks again, having said why, while `check` throws a problem of the answer. */
type Ask = (question: string, fallback: string, check?: (answer: string) => void) => Promise<string>

/**
 * Asks on the terminal for what is not told; an empty answer takes what stands in brackets.
 * @throws ProblemError `cli/not-answered` where the terminal is closed before the end
 */
export const askWanted = async (told: Partial<Wanted>, root: string): Promise<Partial<Wanted>> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Lines that are pasted come faster than questions.
  const answers = lines[Symbol.asyncIterator]()
  let isOpen = true
  lines.once('close', () => {
    isOpen = false
  })
  const ask: Ask = async (question, fallback, check) => {
    for (;;) {
      lines.setPrompt(`${question}${fallback === '' ? '' : ` [${fallback}]`}: `)
      // What was pasted is read to its end; Node 24 throws at whoever prompts behind that.
      if (isOpen) lines.prompt()
      else process.stderr.write(lines.getPrompt())
      const next = await answers.next()
      if (next.done === true) throw notAnswered()
      const answer = next.value.trim() === '' ? fallback : next.value.trim()
      try {
        check?.(answer)
        return answer
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        process.stderr.write(`${formatProblems(error.problems, false)}\n`)
      }
    }
  }
  try {
    return { ...(await askEach(told, root, ask)), ...told }
  } finally {
    lines.close()
  }
}

const askEach = async (told: Partial<Wanted>, root: string, ask: Ask): Promise<Partial<Wanted>> => {
  const name =
    told.name ??
    (await ask('Its name, as run entries have it', '', (answer) => {
      requireFree(answer, root)
    }))
  const description = told.description ?? (await ask('What it asks, in one sentence', ''))
  const access = told.access ?? (await askAccess(ask))
  const metrics = told.metrics ?? (await askMetrics(told, root, ask))
  const judges = told.judges ?? (metrics.includes(JURY) ? await askJudges(ask) : [])
  const source = told.source ?? (await ask('Whose data it is', ''))
  const licence = told.licence ?? (await ask('Under what licence', 'unchecked'))
  return {
    name,
    access,
    metrics,
    ...(description === '' ? {} : { description }),
    ...(judges.length === 0 ? {} : { judges }),
    ...(source === '' ? {} : { source }),
    ...(licence === 'unchecked' ? {} : { licence }),
  }
}

const ACCESS = ['public', 'gated', 'private'] as const

const askAccess = async (ask: Ask): Promise<NonNullable<Wanted['access']>> => {
  const question = 'Who may see its texts: public, gated or private'
  const answer = await ask(question, 'private', (given) => {
    if (!ACCESS.some((choice) => choice === given))
      throw new ProblemError({
        code: 'benchmarks/unknown-access',
        message: `${JSON.stringify(given)} is none of them`,
        remedy: `${suggestion(given, ACCESS)}Text that is not public goes only where the workspace allows it.`,
      })
  })
  return ACCESS.find((choice) => choice === answer) ?? 'private'
}

const askMetrics = async (
  { ownMetric }: Partial<Wanted>,
  root: string,
  ask: Ask,
): Promise<readonly string[]> => {
  const fallback = ownMetric === undefined ? 'exact_match' : 'none besides'
  const question = `Metrics, of ${formMetrics(root).join(', ')}`
  const answer = await ask(question, fallback, (given) => {
    if (given !== fallback) requireMetrics(namesIn(given), root)
  })
  if (answer !== fallback) return namesIn(answer)
  return ownMetric === undefined ? ['exact_match'] : []
}

/** Empty for those of judges.yaml. */
const askJudges = async (ask: Ask): Promise<readonly string[]> => {
  const fallback = 'as judges.yaml has them'
  const answer = await ask('Judges, deployments', fallback)
  return answer === fallback ? [] : namesIn(answer)
}

const namesIn = (answer: string): readonly string[] => answer.split(/[\s,]+/).filter((name) => name !== '')

const notAnswered = (): ProblemError =>
  new ProblemError({
    code: 'cli/not-answered',
    message: 'the questions were not answered, and nothing was written',
    remedy: 'Answer them, or say it by flags: medmake benchmark new --help.',
  })
