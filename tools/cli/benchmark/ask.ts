import { createInterface } from 'node:readline'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { JURY } from '../../benchmark/new-benchmark.ts'
import { formMetrics, type Wanted } from '../../benchmark/wanted.ts'

type Ask = (question: string, fallback: string) => Promise<string>

/**
 * Asks on the terminal for what is not told; an empty answer takes what stands in brackets.
 * @throws ProblemError `cli/not-answered` where the terminal is closed before the end
 */
export const askWanted = async (told: Partial<Wanted>, root: string): Promise<Partial<Wanted>> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Lines that are pasted come faster than questions.
  const answers = lines[Symbol.asyncIterator]()
  const ask: Ask = async (question, fallback) => {
    lines.setPrompt(`${question}${fallback === '' ? '' : ` [${fallback}]`}: `)
    lines.prompt()
    const answer = await answers.next()
    if (answer.done === true) throw notAnswered()
    return answer.value.trim() === '' ? fallback : answer.value.trim()
  }
  try {
    return { ...(await askEach(told, root, ask)), ...told }
  } finally {
    lines.close()
  }
}

const askEach = async (told: Partial<Wanted>, root: string, ask: Ask): Promise<Partial<Wanted>> => {
  const name = told.name ?? (await ask('Its name, as run entries have it', ''))
  const description = told.description ?? (await ask('What it asks, in one sentence', ''))
  const access = told.access ?? (await askAccess(ask))
  const metrics = told.metrics ?? (await askMetrics(told, root, ask))
  const judges =
    told.judges ??
    (metrics.includes(JURY) ? await askNames('Judges, deployments', 'as judges.yaml has them', ask) : [])
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

const askAccess = async (ask: Ask): Promise<NonNullable<Wanted['access']>> => {
  const choices = ['public', 'gated', 'private'] as const
  for (;;) {
    const answer = await ask('Who may see its texts: public, gated or private', 'private')
    const found = choices.find((choice) => choice === answer)
    if (found !== undefined) return found
  }
}

const askMetrics = async (
  { ownMetric }: Partial<Wanted>,
  root: string,
  ask: Ask,
): Promise<readonly string[]> => {
  const known = formMetrics(root)
  const fallback = ownMetric === undefined ? 'exact_match' : 'none besides'
  for (;;) {
    const names = await askNames(`Metrics, of ${known.join(', ')}`, fallback, ask)
    if (names.length === 0) return ownMetric === undefined ? ['exact_match'] : []
    if (names.every((name) => known.includes(name))) return names
  }
}

/** Empty for the fallback. */
const askNames = async (question: string, fallback: string, ask: Ask): Promise<readonly string[]> => {
  const answer = await ask(question, fallback)
  return answer === fallback ? [] : answer.split(/[\s,]+/).filter((name) => name !== '')
}

const notAnswered = (): ProblemError =>
  new ProblemError({
    code: 'cli/not-answered',
    message: 'the questions were not answered, and nothing was written',
    remedy: 'Answer them, or say it by flags: medmake benchmark new --help.',
  })
