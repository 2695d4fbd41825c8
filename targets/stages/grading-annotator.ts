import { allEnded } from '../../cache/lists.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { ItemGrading, Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { digestJson, type Digest, keyTemplate, type KeyTemplate } from '../../cache/values/digest.ts'
import { failed, type Failure, type Outcome } from '../../cache/problems/problem.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { emptyAnnotation } from '../jury/stored-judgements.ts'
import {
  gradedJudgements,
  hasPoints,
  type Graded,
  comparisonPrompt,
  gradedChat,
  graderPrompt,
  instanceRubric,
} from '../jury/grading/grade-answer.ts'
import { readGrade, type Grade } from '../jury/grading/read-grade.ts'
import { gradingKey } from '../keys/keys.ts'
import type { Completion } from '../record/completion.ts'
import type { Target } from '../record/target.ts'
import {
  isJudged,
  nothingToJudge,
  type Annotator,
  type Judgement,
  type PeekedJudgement,
  GRADER_LIMITS,
  graderRequest,
  loadParsed,
  packParsed,
} from './judge.ts'
import { createAsker, type Asker } from './ask.ts'
import type { StageEnv } from '../env/env.ts'
import { answerOf, createReplyReader, type ReplyReader } from './reply-reader.ts'

export type GradedJury = Jury & { readonly grading: ItemGrading }

/** How often a grader is asked for one item before the item counts as unreadable; the authors go on for ever. */
const ASKINGS: Readonly<Record<ItemGrading['style'], number>> = { 'health-bench': 5, 'medhelm-0.8': 1 }

interface Grader {
  readonly name: string
  readonly asker: Asker
  readonly reader: ReplyReader
}

/** One item's part: its grade, the text that it was read from, and the replies that it took. */
interface GradedItem {
  readonly grade: Outcome<Grade>
  readonly text: string
  readonly completions: readonly Completion[]
  readonly cached: boolean
  /** Why no reply came. */
  readonly failure?: Failure
}

/** A jury of graders, opened. */
interface Grading {
  readonly jury: GradedJury
  readonly graders: readonly Grader[]
  readonly key: KeyTemplate<'points' | 'replies', 'annotation'>
  readonly store: StageEnv['store']
}

/** Judges that grade an answer item by item of the instance's own rubric: a judgement is made of several calls. */
export const gradingAnnotator = async (
  target: Target,
  jury: GradedJury,
  env: StageEnv,
): Promise<Annotator> => {
  const { style } = jury.grading
  const graders = await Promise.all(
    target.judges.map(async ({ judge: { name }, deployment }): Promise<Grader> => ({
      name,
      asker: createAsker(deployment, { ...target.spec, judge: name }, env),
      reader: await createReplyReader(deployment, GRADER_LIMITS[style], env),
    })),
  )
  const parts = ['points', 'replies'] as const
  const key = keyTemplate<'points' | 'replies', 'annotation'>(gradingKey(jury.grading, env.profile), parts)
  const open: Grading = { jury, graders, key, store: env.store }
  return {
    columns: graders.length,
    run: async (instance, answer) =>
      isAsked(jury, instance, answer)
        ? judge(open, instance, answer)
        : graders.map(({ name }) => nothingToJudge(name)),
    peek: (instance, answer) => peekJudgements(open, instance, answer),
    missing: (instance, answer) => missingRequests(open, instance, answer),
    assemble: (instance, answer, digests) =>
      new Map([[jury.annotator, annotationOf(open, instance, answer, digests)]]),
  }
}

/** Only medhelm 0.8.0 leaves an answer of blanks ungraded; where nothing can be earned nobody is asked. */
const isAsked = ({ grading: { style } }: GradedJury, instance: Instance, answer: string): boolean =>
  (style === 'health-bench' || isJudged(answer)) && hasPoints(instanceRubric(instance), style)

const judge = async (open: Grading, instance: Instance, answer: string): Promise<readonly Judgement[]> => {
  const { jury, graders, store } = open
  const { grading } = jury
  const requests = requestsOf(jury, instance, answer)
  const items = await allEnded(
    graders.map((grader) => allEnded(requests.map((request) => gradeItem(grader, request, grading.style)))),
  )
  const lost = items.map((own) => own.find(({ failure }) => failure !== undefined)?.failure)
  const anyLost = lost.find((failure) => failure !== undefined)
  const digests = digestsOf(open, instance, items)
  const rubric = instanceRubric(instance)
  const made = gradedJudgements(
    rubric,
    items.map((own) => gradedOf(own, rubric.length)),
    grading,
  )
  return Promise.all(
    graders.map(async ({ name }, index): Promise<Judgement> => {
      const own = items[index] ?? []
      const [digest, outcome] = [digests[index], made[index]]
      if (digest === undefined || outcome === undefined) throw new RangeError(`no grades of ${name}`)
      const completions = own.flatMap((item) => item.completions)
      const cause = lost[index] ?? (grading.comparison === undefined ? undefined : anyLost)
      if (cause !== undefined) {
        const failure = { kind: 'failed', cause } as const
        return { judge: name, outcome: failure, retriable: true, completions, cached: false }
      }
      const isKnown = store.has('annotations', digest)
      if (!isKnown) await store.put('annotations', digest, packParsed(outcome))
      const cached = isKnown && own.every((item) => item.cached)
      return { judge: name, outcome, retriable: false, digest, completions, cached }
    }),
  )
}

/** With one list of grades for all judges, each judge's part hangs on the replies to all. */
const digestsOf = (
  { jury: { grading }, key }: Grading,
  instance: Instance,
  items: readonly (readonly GradedItem[])[],
): readonly Digest<'annotation'>[] => {
  const points = digestJson(instanceRubric(instance).map((item) => item.points))
  const texts = items.map((own) => own.map(({ grade, text }) => [grade.kind, text]))
  return texts.map((own, index) =>
    key.digest({ points, replies: digestJson(grading.comparison === undefined ? own : [index, texts]) }),
  )
}

const peekJudgements = (open: Grading, instance: Instance, answer: string): readonly PeekedJudgement[] => {
  const { jury, graders, store } = open
  if (!isAsked(jury, instance, answer)) return graders.map(() => ({ isKnown: true, isStored: false }))
  const items = foundItems(open, instance, answer).map((own) => own.flatMap(({ item }) => item ?? []))
  const whole = requestsOf(jury, instance, answer).length
  const isWhole = items.map((own) => own.length === whole)
  const digests = digestsOf(open, instance, items)
  return digests.map((digest, index): PeekedJudgement => {
    const isKnown = jury.grading.comparison === undefined ? isWhole[index] === true : isWhole.every(Boolean)
    const replies = (items[index] ?? []).flatMap(({ completions }) => completions.map((each) => each.digest))
    return isKnown
      ? { isKnown, digest, isStored: store.has('annotations', digest), replies }
      : { isKnown, isStored: false, replies }
  })
}

const missingRequests = (
  open: Grading,
  instance: Instance,
  answer: string | undefined,
): readonly (readonly CompletionRequest[])[] => {
  const { jury, graders } = open
  // Whether an answer will be blank nobody knows before it is there.
  if (answer === undefined)
    return graders.map(() =>
      hasPoints(instanceRubric(instance), jury.grading.style) ? requestsOf(jury, instance, '') : [],
    )
  if (!isAsked(jury, instance, answer)) return graders.map(() => [])
  return foundItems(open, instance, answer).map((own) => own.flatMap(({ next }) => next ?? []))
}

const foundItems = ({ jury, graders }: Grading, instance: Instance, answer: string) =>
  graders.map((grader) =>
    requestsOf(jury, instance, answer).map((request) => peekItem(grader, request, jury.grading.style)),
  )

/** HELM's annotation; null where the rubric has nothing to score by. */
const annotationOf = (
  { jury, graders, store }: Grading,
  instance: Instance,
  answer: string,
  digests: readonly (Digest<'annotation'> | undefined)[],
): PyValue => {
  if (!hasPoints(instanceRubric(instance), jury.grading.style)) return null
  if (!isAsked(jury, instance, answer)) return emptyAnnotation()
  return new Map(
    graders.flatMap(({ name }, index): [string, PyValue][] => {
      const digest = digests[index]
      const parsed = digest === undefined ? undefined : loadParsed(digest, { store })
      return parsed?.kind === 'done' ? [[name, parsed.value]] : []
    }),
  )
}

/** An item each, then the comparison where there is one. */
const requestsOf = (jury: GradedJury, instance: Instance, answer: string): readonly CompletionRequest[] => {
  const { style } = jury.grading
  const chat = gradedChat(instance, answer)
  const compared = comparisonPrompt(jury, chat, answer, instance)
  const prompts = instanceRubric(instance).map((item) => graderPrompt(jury.template, chat, item, style))
  return [...prompts, ...(compared === undefined ? [] : [compared])].map((prompt) =>
    graderRequest(prompt, style),
  )
}

/** Every request that grading an answer may take: of each item, all askings that the style allows. */
export const askings = (jury: GradedJury, instance: Instance, answer: string): readonly CompletionRequest[] =>
  requestsOf(jury, instance, answer).flatMap((request) =>
    Array.from({ length: ASKINGS[jury.grading.style] }, (_, sampleIndex) => ({ ...request, sampleIndex })),
  )

const gradedOf = (own: readonly GradedItem[], items: number): Graded => {
  const grades = own.map(({ grade }) => grade)
  const comparison = grades[items]
  return { grades: grades.slice(0, items), ...(comparison === undefined ? {} : { comparison }) }
}

/** Asks until a reply can be read, as often as the style allows; each asking is a sample of its own. */
const gradeItem = async (
  { asker, reader }: Grader,
  request: CompletionRequest,
  style: ItemGrading['style'],
): Promise<GradedItem> => {
  const completions: Completion[] = []
  let read: Pick<GradedItem, 'grade' | 'text'> = { grade: failed('unparseable', 'never asked'), text: '' }
  let cached = true
  for (let sampleIndex = 0; sampleIndex < ASKINGS[style]; sampleIndex += 1) {
    const asked = await asker.ask({ ...request, sampleIndex })
    cached &&= asked.cached
    const { outcome } = asked
    if (outcome.kind !== 'done') {
      const failure = outcome.kind === 'failed' ? outcome.cause : { code: 'absent', detail: outcome.reason }
      return { ...read, completions, cached: false, failure }
    }
    completions.push(outcome.value)
    read = gradeOf(outcome.value, reader, style)
    if (read.grade.kind === 'done') break
  }
  return { ...read, completions, cached }
}

/** The item as the store has it, or else the request that would be made next. */
const peekItem = (
  { asker, reader }: Grader,
  request: CompletionRequest,
  style: ItemGrading['style'],
): { readonly item?: GradedItem; readonly next?: CompletionRequest } => {
  const completions: Completion[] = []
  for (let sampleIndex = 0; ; sampleIndex += 1) {
    const sample = { ...request, sampleIndex }
    const { completion } = asker.peek(sample)
    if (completion === undefined) return { next: sample }
    completions.push(completion)
    const read = gradeOf(completion, reader, style)
    if (read.grade.kind === 'done' || sampleIndex + 1 >= ASKINGS[style])
      return { item: { ...read, completions, cached: true } }
  }
}

const gradeOf = (
  completion: Completion,
  reader: ReplyReader,
  style: ItemGrading['style'],
): Pick<GradedItem, 'grade' | 'text'> => {
  const result = reader.read(completion, false)
  const text = answerOf(result)
  const grade =
    result.kind === 'done' ? readGrade(text, style) : failed('unparseable', 'no reply that can be read')
  return { grade, text }
}
