import { z } from 'zod'
import { ProblemError, safeText, reasonOf, thrown } from '../../cache/problems/problem.ts'
import { faultsOf } from '../../cache/problems/zod-problems.ts'
import { StoppedError, awaited, boundedCall } from '../../cache/user-code/bounded-call.ts'
import type { DraftInstance } from '../scenario/instance.ts'
import { Float } from '../python/numbers/number.ts'
import type { PyValue } from '../python/value.ts'

const Text = z.string().refine((text) => text.isWellFormed(), 'it holds half of a surrogate pair')

/** All that an instance may have, read out once. */
const Draft = z.strictObject({
  id: z.union([Text.min(1), z.int()]).exactOptional(),
  input: z.strictObject({ text: Text }),
  references: z.array(z.object({ text: Text, tags: z.array(Text) })),
  split: z.enum(['train', 'valid', 'test']),
  subSplit: Text.optional(),
  extraData: z.instanceof(Map).optional(),
  cluster: Text.optional(),
  attributes: z.record(z.string(), z.union([Text, z.number()]).optional()).optional(),
})

/**
 * Instances of a workspace's scenario, one at a time.
 * @throws ProblemError `benchmarks/scenario-code` for what its code throws, or gives in place of instances
 */
export async function* checkedInstances(file: string, made: () => unknown): AsyncGenerator<DraftInstance> {
  let count = 0
  let kind: string | undefined
  try {
    const given: unknown = await awaited(file, boundedCall(file, made))
    if (!isIterable(given)) throw fault(file, 'it gave no list of instances')
    for await (const draft of inParts(file, given)) {
      kind ??= typeof draft.id
      if (typeof draft.id !== kind) refuse('id: all are texts, all are numbers, or none has one')
      count += 1
      yield draft
    }
  } catch (caught) {
    const error = thrown(caught)
    if (error instanceof ProblemError || error instanceof StoppedError) throw error
    const reason = reasonOf(error)
    if (error instanceof DraftFault) throw fault(file, `instance ${count + 1}: ${reason}`)
    throw fault(file, `after ${count} instances it ended with: ${reason}`, error)
  }
}

/** What it gave in the place of an instance is none. */
class DraftFault extends Error {}

const refuse = (what: string): never => {
  throw new DraftFault(what)
}

/** A copy, made before its code goes on: that may change what it gave. @throws DraftFault */
const readOut = (given: unknown): DraftInstance => {
  const parsed = Draft.safeParse(given)
  if (!parsed.success) return refuse(faultsOf(parsed.error))
  const { extraData } = parsed.data
  return { ...parsed.data, ...(extraData && { extraData: plainValue(extraData, refuse) }) } as DraftInstance
}

/** What it iterates over, each step of it bounded. */
async function* inParts(
  file: string,
  given: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<DraftInstance> {
  const bounded = (draft: unknown): DraftInstance => boundedCall(file, () => readOut(draft))
  if (Symbol.iterator in given) {
    for (const part of partsOf(file, given[Symbol.iterator]()))
      yield 'promise' in part ? bounded(await awaited(file, part.promise)) : part
    return
  }
  const iterator = given[Symbol.asyncIterator]()
  const all: AsyncIterator<unknown> = {
    next: () =>
      awaited(
        file,
        boundedCall(file, () => iterator.next()),
      ),
    return: async () =>
      (await awaited(
        file,
        boundedCall(file, () => iterator.return?.()),
      )) ?? { done: true, value: undefined },
  }
  for await (const draft of { [Symbol.asyncIterator]: () => all }) yield bounded(draft)
}

interface Promised {
  readonly promise: unknown
}

const isPromised = (draft: unknown): boolean => typeof draft === 'object' && draft !== null && 'then' in draft

/** Instances that one call is bounded for: bounding each would cost more than most take to make. */
const PART = 100

function* partsOf(file: string, iterator: Iterator<unknown>): Generator<DraftInstance | Promised> {
  let isOpen = true
  try {
    while (isOpen) {
      const part = nextPart(file, iterator)
      isOpen = part.isOpen
      yield* part.drafts
      if (part.failure !== undefined) throw part.failure.error
    }
  } finally {
    if (isOpen) iterator.return?.()
  }
}

interface Part {
  readonly drafts: readonly (DraftInstance | Promised)[]
  readonly isOpen: boolean
  /** What ended it; the instances before count. */
  readonly failure?: { readonly error: unknown }
}

const nextPart = (file: string, iterator: Iterator<unknown>): Part => {
  const drafts: (DraftInstance | Promised)[] = []
  const fill = (): boolean => {
    for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
      const { value } = step
      if (drafts.push(isPromised(value) ? { promise: value } : readOut(value)) === PART) return true
    }
    return false
  }
  try {
    return { isOpen: boundedCall(file, fill), drafts }
  } catch (error) {
    return { drafts, isOpen: error instanceof DraftFault, failure: { error } }
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)

const fault = (file: string, reason: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'benchmarks/scenario-code',
      safe: safeText`the scenario's code ended with an error, or gave something that is no instance`,
      message: `${file} gave no instances that can be used: ${reason}`,
      where: { file },
      remedy: "Let `instances` give what `defineScenario` of 'medmake' describes.",
    },
    { cause },
  )

const DEEPEST = 100
/** Values in all of an instance's extra data: few that stand in each other again and again come to billions. */
const MOST_VALUES = 2 ** 18

/**
 * What a user's code gave as extra data, as JSON can hold it: objects are dicts.
 * @param refuse is told what is wrong with anything else, and throws
 */
const plainValue = (
  given: unknown,
  refuse: (fault: string) => never,
  path: readonly (string | number)[] = ['extraData'],
  count = { seen: 0 },
): PyValue => {
  count.seen += 1
  if (path.length > DEEPEST || count.seen > MOST_VALUES)
    return refuse('extraData holds itself, or too much in each other')
  if (given === null || given instanceof Float) return given
  if (typeof given === 'boolean' || typeof given === 'number' || typeof given === 'bigint') return given
  if (typeof given === 'string' && given.isWellFormed()) return given
  if (Array.isArray(given))
    return Array.from(given, (item, at) => plainValue(item, refuse, [...path, at], count))
  if (given instanceof Map || isRecord(given))
    return new Map(
      [...(given instanceof Map ? given : Object.entries(given))].map(([key, value]) =>
        typeof key === 'string' && key.isWellFormed()
          ? [key, plainValue(value, refuse, [...path, key], count)]
          : refuse(`${path.join('.')} has a key that is no text`),
      ),
    )
  return refuse(`${path.join('.')} is nothing that JSON can hold`)
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
