import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { lineColumn } from '../../cache/problems/line-column.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { HELM_YAML, parseYaml } from '../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../cache/problems/zod-problems.ts'
import type { BenchmarkContext } from '../context/context.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { isDict } from '../python/kinds.ts'
import type { PyValue } from '../python/value.ts'
import type { Judge, ScoreScale } from '../scenario/benchmark.ts'
import { decodeText, readBytes, universalNewlines } from '../sources/read-text.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { StringTemplateError, substituteTemplate } from '../python/templates/format.ts'
import { JsonError, loads } from '../python/json.ts'

const Text = z.string().min(1, 'it must be some text')
/** HELM's judges.yaml (HELM.md B6). */
const JudgesFile = z.strictObject({
  judges: z
    .array(z.strictObject({ name: Text, model: Text, model_deployment: Text }))
    .min(1, 'it must name at least one judge'),
})

/** A jury's members and the file that names them. */
export interface Judges {
  readonly file: string
  readonly judges: readonly Judge[]
}

/**
 * The judges of built-in benchmarks: those of `path` (a run entry's `jury_config_path`, relative to the working
 * folder), else of `protocolFile`, which a protocol names that wants judges of its own, else of the workspace's `benchmarks/judges.yaml`, else MedHELM's three.
 * @throws ProblemError `benchmarks/missing-file`, `benchmarks/duplicate-judge`, faults of the YAML
 */
export const readJudges = async (
  path: string | undefined,
  context: Pick<BenchmarkContext, 'workspace' | 'cwd'>,
  protocolFile?: string,
): Promise<Judges> => {
  const file =
    path === undefined ? (protocolFile ?? defaultFile(context.workspace)) : resolve(context.cwd, path)
  const text = decodeText(await readBytes(file, 'judges file'), file)
  const document = parseYaml(text, file, { room: 'benchmarks', schema: HELM_YAML })
  const { judges } = checkDocument(JudgesFile, document, 'benchmarks')
  for (const [index, { name }] of judges.entries())
    if (judges.findIndex((judge) => judge.name === name) < index)
      throw new ProblemError({
        code: 'benchmarks/duplicate-judge',
        message: `two judges are named ${JSON.stringify(name)}`,
        where: document.place(['judges', index, 'name']),
        remedy: 'Give each judge a name of its own: the name is its key in the annotations.',
      })
  return {
    file,
    judges: judges.map(({ name, model, model_deployment }, index) => ({
      name,
      model,
      deployment: model_deployment,
      where: document.place(['judges', index, 'model_deployment']),
    })),
  }
}

const defaultFile = (workspace: string): string => {
  const own = join(workspace, 'benchmarks', 'judges.yaml')
  return isAbsolute(workspace) && existsSync(own) ? own : join(packageRoot(), 'benchmarks', 'judges.yaml')
}

/** `annotator_models` as run_spec.json holds it. */
export const annotatorModels = (judges: readonly Judge[]): ReadonlyMap<string, PyValue> =>
  new Map(
    judges.map(({ name, model, deployment }) => [
      name,
      new Map([
        ['model_name', model],
        ['model_deployment', deployment],
      ]),
    ]),
  )

/** Stands for the answer while the prompt is tried; a private-use character that no prompt holds. */
const ANSWER = '\ue000'

/**
 * Tries a judge prompt before anything is spent: it must be fillable (HELM.md B7), and must show the
 * answer.
 * @throws ProblemError `benchmarks/judge-prompt` with line and column
 */
export const checkJudgePrompt = (prompt: string, file: string): void => {
  try {
    if (substituteTemplate(prompt, { QUESTION: '', RESPONSE: ANSWER, GOLD_RESPONSE: '' }).includes(ANSWER))
      return
  } catch (error) {
    if (!(error instanceof StringTemplateError)) throw error
    throw new ProblemError(
      {
        code: 'benchmarks/judge-prompt',
        message: `the judge prompt can't be filled: ${error.message}`,
        where: { file, line: error.line, column: error.column },
        remedy: 'Write $$ for a dollar sign, and let no letter, digit or underscore follow a placeholder.',
      },
      { cause: error },
    )
  }
  throw new ProblemError({
    code: 'benchmarks/judge-prompt',
    message: 'the judge prompt has no {RESPONSE}: judges would not see the answer they score',
    where: { file },
    remedy: 'Put {RESPONSE}, and {QUESTION} and {GOLD_RESPONSE} if wanted, where they belong.',
  })
}

/** A grader must see the answer, and the item by which it is graded. @throws ProblemError `benchmarks/judge-prompt` */
export const checkGraderPrompt = (prompt: string, file: string): void => {
  const missing = ['<<conversation>>', '<<rubric_item>>'].find((name) => !prompt.includes(name))
  if (missing === undefined) return
  throw new ProblemError({
    code: 'benchmarks/judge-prompt',
    message: `the grader's prompt has no ${missing}`,
    where: { file },
    remedy: 'Put <<conversation>> and <<rubric_item>> where they belong.',
  })
}

/**
 * Judges can not reply with what the rubric does not name: all their replies would count for nothing.
 * @throws ProblemError `benchmarks/unknown-criterion`
 */
export const checkCriteria = (
  criteria: Readonly<Record<string, readonly string[]>>,
  rubric: string,
  place: (criterion: string) => Place,
): void => {
  for (const [criterion, keys] of Object.entries(criteria)) {
    const missing = [criterion, ...keys].find((name) => !rubric.includes(name))
    if (missing === undefined) continue
    throw new ProblemError({
      code: 'benchmarks/unknown-criterion',
      message: `the rubric nowhere says ${JSON.stringify(missing)}, which each reply must hold`,
      where: place(criterion),
      remedy: `${suggestion(missing, rubric.match(/\w+/g) ?? [])}Name criteria and their keys as the rubric does.`,
    })
  }
}

const BLOCK = /<rubric_criteria>\s*(\{[\s\S]*?\})\s*<\/rubric_criteria>/

const REMEDY =
  'Write <rubric_criteria>{"accuracy": {"score": 0, "explanation": "…"}}</rubric_criteria> with your criteria.'

/**
 * Criteria of a judge prompt: each key of its `<rubric_criteria>` block → the keys that the criterion's object has
 * (HELM.md B9).
 *
 * @throws ProblemError `benchmarks/rubric-criteria` with line and column
 */
export const rubricCriteria = (prompt: string, file: string): ReadonlyMap<string, readonly string[]> => {
  const found = BLOCK.exec(prompt)
  const json = found?.[1]
  if (!found || json === undefined)
    throw criteriaProblem('the judge prompt has no <rubric_criteria>{…}</rubric_criteria> block', { file })
  const offset = found.index + found[0].indexOf(json)
  const value = parseBlock(json, offset, prompt, file)
  const at = { file, ...lineColumn(prompt, offset) }
  if (!isDict(value) || value.size === 0) throw criteriaProblem('the rubric names no criterion', at)
  return new Map(
    [...value].map(([name, keys]) => {
      if (isDict(keys)) return [name, [...keys.keys()]]
      if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return [name, keys]
      throw criteriaProblem(`the criterion ${JSON.stringify(name)} is no object`, at)
    }),
  )
}

const parseBlock = (json: string, offset: number, prompt: string, file: string): PyValue => {
  try {
    return loads(json)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const start = lineColumn(prompt, offset)
    const line = start.line + error.line - 1
    const column = error.line === 1 ? start.column + error.column - 1 : error.column
    throw criteriaProblem(`the rubric is not JSON: ${error.message}`, { file, line, column }, error)
  }
}

const criteriaProblem = (
  message: string,
  where: { file: string; line?: number; column?: number },
  cause?: unknown,
): ProblemError =>
  new ProblemError({ code: 'benchmarks/rubric-criteria', message, where, remedy: REMEDY }, { cause })

/** `[least, most]`. */
export const Scale = z
  .tuple([z.number(), z.number()], 'it must be the least and the greatest score, e.g. [1, 5]')
  .refine(([least, most]) => least < most, 'the first must be less than the second')

export const scaleOf = ([least, most]: readonly [number, number]): ScoreScale => ({ least, most })

/**
 * A prompt file's text with line ends as Python reads them.
 * @param where what names the file
 * @throws ProblemError `benchmarks/empty-file`, `benchmarks/byte-order-mark`, `benchmarks/not-utf8`
 */
export const readPrompt = async (file: string, what: string, where?: Place): Promise<string> => {
  const text = universalNewlines(decodeText(await readBytes(file, what, where), file))
  if (text.startsWith('\ufeff'))
    throw new ProblemError({
      code: 'benchmarks/byte-order-mark',
      message: `the ${what} starts with a byte order mark, which would be sent to every model`,
      where: { file, line: 1, column: 1 },
      remedy: 'Save it as UTF-8 without BOM.',
    })
  if (text.trim() !== '') return text
  throw new ProblemError({
    code: 'benchmarks/empty-file',
    message: `the ${what} ${file} is empty`,
    where: { file },
    remedy: 'Write the prompt into it; {column} stands for a cell of the data.',
  })
}
