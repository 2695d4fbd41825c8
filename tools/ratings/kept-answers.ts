import { asJson, storedShape } from '../../cache/stored-shape.ts'
import { defined } from '../../cache/values/defined.ts'
import type { Digest } from '../../cache/values/digest.ts'
import { keepingFor, type StoreEnv } from '../../targets/env/env.ts'
import { judgedScore } from '../../targets/jury/stored-judgements.ts'
import { answerDigest, type UnratedKind } from '../../targets/ratings/unit.ts'
import type { RequestState } from '../../targets/record/request-state.ts'
import type { JudgedTarget } from '../jury/judged-runs.ts'

/** Raised when the same record gives other digests or scores. */
const VERSION = 1

/** What plans and ratings need of one answer, without its text. */
interface KeptAnswer {
  /** Never keyed: where texts must not be guessed from digests, these lie where the texts do. */
  readonly answer: Digest<'text'>
  readonly jury: number | null
  readonly unrated?: UnratedKind
}

/** A column each: ten thousand answers are read in a moment. */
interface Stored {
  /** 64 digits an answer. */
  readonly answers: string
  readonly jury: readonly (number | null)[]
  /** A letter an answer, as in `LETTERS`. */
  readonly unrated: string
}

const LETTERS: Readonly<Record<string, UnratedKind | undefined>> = {
  '-': undefined,
  f: 'failed',
  e: 'empty',
  u: 'unjudged',
}
const DIGITS = 64

const stored = storedShape<Stored>('digests of answers', { answers: 'text', jury: 'list', unrated: 'text' })

/**
 * Answers of a run's first trial, in its order. All texts are read for it once a record: then it is kept by the record's
 * digest, where the benchmark's texts lie.
 *
 * @param isKept false where nothing may be written
 */
export const keptAnswers = async (
  run: JudgedTarget,
  env: StoreEnv,
  isKept: boolean,
): Promise<readonly KeptAnswer[]> => {
  const id = `answers:${VERSION}:${run.digest}`
  const { store } = await keepingFor(run.target.spec.benchmark, env)
  const known = stored(store.get('files', id))
  const { length } = run.view.asked
  if (known?.answers.length === length * DIGITS) return unpacked(known)
  const made = Array.from({ length }, (_, row) => readAnswer(run, row))
  if (isKept) await store.put('files', id, asJson(packed(made)))
  return made
}

const readAnswer = ({ view, reading }: JudgedTarget, row: number): KeptAnswer => {
  const state = view.state(row)
  const text = answerText(state)
  const jury = judgedScore(state, reading)
  const unrated = unratedKind(text, jury)
  return defined({ answer: answerDigest(view.asked[row]?.digest ?? '', text ?? ''), jury, unrated })
}

export const answerText = ({ result }: Pick<RequestState, 'result'>): string | undefined =>
  result?.completions[0]?.text

const unratedKind = (text: string | undefined, jury: number | null): UnratedKind | undefined => {
  if (text === undefined) return 'failed'
  if (text.trim() === '') return 'empty'
  return jury === null ? 'unjudged' : undefined
}

const packed = (made: readonly KeptAnswer[]): Stored => ({
  answers: made.map(({ answer }) => answer).join(''),
  jury: made.map(({ jury }) => jury),
  unrated: made.map(({ unrated }) => unrated?.[0] ?? '-').join(''),
})

const unpacked = ({ answers, jury, unrated }: Stored): readonly KeptAnswer[] =>
  jury.map((score, row) => {
    const kind = LETTERS[unrated[row] ?? '-']
    return {
      answer: answers.slice(row * DIGITS, (row + 1) * DIGITS) as Digest<'text'>,
      jury: score,
      ...(kind === undefined ? {} : { unrated: kind }),
    }
  })
