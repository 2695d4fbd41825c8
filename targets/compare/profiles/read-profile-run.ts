import { chatText, type Chat } from '../../../benchmarks/scenario/instance.ts'
import type { ItemGrading, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import { numberOf } from '../../../benchmarks/python/numbers/number.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import { isDict } from '../../../benchmarks/python/kinds.ts'
import { isTruthy, type PyValue } from '../../../benchmarks/python/value.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { instanceRubric, gradesOf } from '../../jury/grading/grade-answer.ts'
import type { HelmRequest } from '../../record/request-state.ts'
import type { ReadState } from '../../runs/read-state.ts'
import { wholeRun, type Run } from '../../runs/run.ts'
import { meanOf } from '../../statistics/mean.ts'
import type { RubricItem } from '../../../benchmarks/scenario/rubric.ts'
import { foldedScore, pointsScore, type Grade } from '../../jury/grading/read-grade.ts'

/** What a model is sent, by the parts in which two profiles may ask otherwise. */
export const REQUEST_PARTS = [
  'system message',
  'prompt',
  'temperature',
  'max_tokens',
  'stop sequences',
  'number of answers',
] as const

export type RequestPart = (typeof REQUEST_PARTS)[number]

/** A request of a run as one profile read it. It holds digests and numbers, no text. */
export interface ReadRequest {
  /** Of the question and its references, and of how often it came before in the same trial. */
  readonly question: string
  /** Whether the data holds no answer to it. */
  readonly unanswerable: boolean
  /** Of each part of what the model was sent. */
  readonly request: Readonly<Record<RequestPart, string>>
  /** Of the answer as it was read; null without one. */
  readonly answer: string | null
  /** Of what judges, or queries, made of it. */
  readonly annotations: string
  /** The main metric; null where it was not measured. */
  readonly value: number | null
  /** Where graders went by the instance's own rubric: their verdicts, by either rule. */
  readonly verdicts?: VerdictScores
}

/** A built run under one profile. */
export interface ProfileReading {
  readonly suite: string
  readonly name: string
  readonly mainMetric: string
  /** Where graders go by each instance's own rubric: by whose rule. */
  readonly grading?: ItemGrading['style']
  /** Of the main metric's split, in the record's order. */
  readonly requests: readonly ReadRequest[]
}

/** @throws LostValueError when the store lost something that the record names */
export const readProfileRun = async (run: Run, jury: Jury | undefined): Promise<ProfileReading> => {
  const { suite, name } = run
  const { mainMetric } = run.benchmark
  const { requests: read } = await wholeRun(run)
  const values = new Map<string, number>()
  for await (const { instanceId, trainTrialIndex, stats } of read.values())
    for (const { name: stat, count, sum } of stats)
      if (stat.name === mainMetric.name && stat.split === mainMetric.split && count > 0)
        values.set(placeOf(instanceId, trainTrialIndex), sum / count)
  const seen = new Map<string, number>()
  const requests: ReadRequest[] = []
  for await (const state of read.states()) {
    if (state.instance.split !== mainMetric.split) continue
    const value = values.get(placeOf(state.instance.id, state.trainTrialIndex)) ?? null
    const verdicts = jury?.grading && verdictsOf(state, jury)
    requests.push({ ...readRequest(state, seen), value, ...(verdicts && { verdicts }) })
  }
  const style = jury?.grading?.style
  return { suite, name, mainMetric: mainMetric.name, ...(style && { grading: style }), requests }
}

/** The same replies and verdicts by the rule of another style, and nothing else of it. */
export const scoredBy = (reading: ProfileReading, style: ItemGrading['style']): ProfileReading | undefined =>
  reading.grading === undefined || reading.grading === style
    ? undefined
    : {
        ...reading,
        grading: style,
        requests: reading.requests.map((each) => ({ ...each, value: each.verdicts?.[style] ?? null })),
      }

const placeOf = (id: string | number | undefined, trial: number): string => `${trial} ${id}`

const verdictsOf = ({ instance, annotations }: ReadState, jury: Jury): VerdictScores | undefined =>
  verdictScores(instanceRubric({ id: '', ...instance }), annotations?.get(jury.annotator), jury)

const readRequest = (state: ReadState, seen: Map<string, number>): Omit<ReadRequest, 'value'> => {
  const { instance, request, result, annotations, trainTrialIndex } = state
  const asked = digestOf<'text'>(dumps([trainTrialIndex, ...questionOf(instance)]))
  const before = seen.get(asked) ?? 0
  seen.set(asked, before + 1)
  return {
    question: `${asked} ${before}`,
    unanswerable: isTruthy(instance.extraData?.get('is_impossible') ?? null),
    request: partsOf(request),
    answer: result === undefined ? null : digestOf<'text'>(dumps(result.completions.map(({ text }) => text))),
    annotations: annotations === undefined ? '' : digestOf<'text'>(dumps(annotations)),
  }
}

/**
 * Rows that are asked under one profile only shift the ids of the others: a question is known by its text. A chat is
 * known by what is said and its rubric; what stands before it as system message is the protocol's.
 */
const questionOf = ({ input, references, extraData }: ReadState['instance']): readonly PyValue[] => [
  input.messages === undefined
    ? input.text
    : [chatText(saidIn(input.messages)), extraData?.get('rubrics') ?? null],
  references.map(({ text, tags }) => [text, [...tags]]),
]

const isSystem = (message: Chat[number]): boolean => message.get('role') === 'system'
const saidIn = (chat: Chat): Chat => chat.filter((message) => !isSystem(message))

const partsOf = (request: HelmRequest): ReadRequest['request'] => {
  const { prompt, messages = [], temperature, maxTokens, stopSequences, numCompletions, random } = request
  const digest = (value: PyValue): string => digestOf<'text'>(dumps(value))
  return {
    'system message': digest(chatText(messages.filter(isSystem))),
    prompt: digest([prompt, chatText(saidIn(messages))]),
    temperature: String(numberOf(temperature)),
    max_tokens: String(maxTokens),
    'stop sequences': digest([...stopSequences]),
    'number of answers': digest([numCompletions, random ?? null]),
  }
}

/** What graders' verdicts on one answer are worth by the rule of each style, the mean of the judges; undefined where a rule gives none. */
type VerdictScores = Readonly<Record<ItemGrading['style'], number | undefined>>

/**
 * Scores the verdicts that an annotation holds by either rule, so that rules can be told from what was asked. Undefined
 * where the annotation does not say of every judge and every item whether it is met: medhelm-0.8 leaves no gap where a
 * grade could not be read.
 */
export const verdictScores = (
  items: readonly RubricItem[],
  annotation: PyValue | undefined,
  { grading, judges }: Pick<Jury, 'grading' | 'judges'>,
): VerdictScores | undefined => {
  if (grading === undefined || !isDict(annotation) || judges.length === 0) return undefined
  const graded = judges.map(({ name }, judge) =>
    ownGrades(gradesOf(annotation.get(name), grading.style), {
      items: items.length,
      judges: judges.length,
      judge,
      grading,
    }),
  )
  if (graded.some((own) => own.length !== items.length)) return undefined
  return {
    'health-bench': meanOver(graded, (grades) => authorsScore(items, grades)),
    'medhelm-0.8': meanOver(graded, (grades) => foldedScore(items, grades)),
  }
}

/** Undefined where a verdict is neither yes nor no: the authors would have asked again. */
const authorsScore = (items: readonly RubricItem[], grades: readonly Grade[]): number | undefined => {
  const verdicts = grades.map((grade) => grade.get('criteria_met'))
  return verdicts.every((met) => typeof met === 'boolean')
    ? pointsScore(items.map(({ points }, index) => ({ points, met: verdicts[index] === true })))
    : undefined
}

interface JudgePlace {
  readonly items: number
  readonly judges: number
  readonly judge: number
  readonly grading: ItemGrading
}

/** A judge's own grades of the items: with a comparison asked for, all judges' grades are one list (HELM.md T27). */
const ownGrades = (
  grades: readonly Grade[],
  { items, judges, judge, grading }: JudgePlace,
): readonly Grade[] => {
  if (grading.comparison === undefined) return grades
  const each = grades.length / judges
  return each === items || each === items + 1 ? grades.slice(judge * each, judge * each + items) : []
}

const meanOver = (
  judges: readonly (readonly Grade[])[],
  score: (grades: readonly Grade[]) => number | undefined,
): number | undefined => {
  const scores = judges.map(score)
  return scores.every((each): each is number => each !== undefined) ? meanOf(scores) : undefined
}
