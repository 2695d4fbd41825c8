import { exactMean } from '../statistics/exact-sum.ts'
import { standingsOf, swapsOf, type Standing } from './study/standings.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'

/** What a judge is asked about a reference: after the paper's appendix D, whether it can be an answer at all. */
export const goldPrompt = (question: string, reference: string): string =>
  [
    'Below are a task and the reference answer that replies to it are compared with.',
    'Decide whether the reference is a reasonable reply to the task: it fits what is asked, and the task supports what it says.',
    'Doubt about style or length is no reason against it. Reply with one character and nothing else: 1 if it is reasonable, 0 if not.',
    `<task>\n${question}\n</task>`,
    `<reference>\n${reference}\n</reference>`,
  ].join('\n\n')

/** The first reference's text; undefined where there is nothing to check. */
export const goldOf = ({ references }: Pick<Instance, 'references'>): string | undefined => {
  const text = references[0]?.text ?? ''
  return text.trim() === '' ? undefined : text
}

/** Undefined for a reply that says neither. */
export const readGoldReply = (text: string): boolean | undefined => {
  const said = /^\W*([01])\W*$/.exec(text.trim())?.[1]
  return said === undefined ? undefined : said === '1'
}

/** One model's scores, by instance. */
export interface GoldScores {
  readonly model: string
  readonly scores: ReadonlyMap<string, number>
  /** Its coverage, judgements included, is not under its floor. */
  readonly isRanked: boolean
}

interface Mean {
  readonly answers: number
  /** Null without an answer. */
  readonly mean: number | null
  /** Among the ranked models with a mean, the best first; equals share the mean rank. */
  readonly rank: number | null
}

/** A model with all references, with those that were found reasonable, and with the others. */
export interface GoldRow {
  readonly model: string
  readonly all: Mean
  readonly kept: Mean
  readonly flagged: Mean
}

export interface GoldReport {
  readonly benchmark: string
  readonly judge: string
  /** Instances with a reference that the judge read. */
  readonly checked: number
  /** Instances whose reference it finds unsupported. */
  readonly flagged: readonly string[]
  /** Replies that say neither; their instances are kept. */
  readonly unreadable: number
  readonly rows: readonly GoldRow[]
  /** Pairs of ranked models that stand the other way round without the flagged instances. */
  readonly swaps: readonly (readonly [before: string, after: string])[]
}

/** @param verdicts by instance; undefined where the reply says neither */
export const goldReport = (
  { benchmark, judge }: Pick<GoldReport, 'benchmark' | 'judge'>,
  verdicts: ReadonlyMap<string, boolean | undefined>,
  models: readonly GoldScores[],
): GoldReport => {
  const isFlagged = (instance: string): boolean => verdicts.get(instance) === false
  const ranked = models.map(({ isRanked }) => isRanked)
  const side = (keeps: (instance: string) => boolean) =>
    standingsOf(
      models.map(({ scores }) => {
        const own = [...scores].filter(([instance]) => keeps(instance)).map(([, score]) => score)
        return { instances: own.length, mean: own.length === 0 ? null : exactMean(own) }
      }),
      ranked,
    )
  const [all, kept, flagged] = [side(() => true), side((instance) => !isFlagged(instance)), side(isFlagged)]
  const told = (standing: Standing | undefined): Mean => ({
    answers: standing?.instances ?? 0,
    mean: standing?.score ?? null,
    rank: standing?.rank ?? null,
  })
  const rows = models.map(({ model }, index) => ({
    model,
    all: told(all[index]),
    kept: told(kept[index]),
    flagged: told(flagged[index]),
  }))
  return {
    benchmark,
    judge,
    checked: verdicts.size,
    flagged: [...verdicts.keys()].filter(isFlagged),
    unreadable: [...verdicts.values()].filter((verdict) => verdict === undefined).length,
    rows: rows.toSorted((a, b) => (a.all.rank ?? Infinity) - (b.all.rank ?? Infinity) || 0),
    swaps: swapsOf(all, kept).map(([over, under]) => [models[over]?.model ?? '', models[under]?.model ?? '']),
  }
}
