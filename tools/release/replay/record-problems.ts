import { digestJson } from '../../../cache/values/digest.ts'
import { asJson } from '../../../cache/stored-shape.ts'
import { isMapping, type Json } from '../../../cache/values/json.ts'
import type { Problem } from '../../../cache/problems/problem.ts'
import type { Target } from '../../../targets/record/target.ts'
import { judgedOf } from '../../../targets/runs/judged-summary.ts'
import type { Replayed } from '../../../targets/walk/modes/replay.ts'
import { replyFacts } from '../replies.ts'
import { cardPath, type RunCard } from '../run-card.ts'
import { judgedCard, ownMeans } from '../write-run-part.ts'

/** What data decide, which no release has. */
const OF_ROWS: ReadonlySet<string> = new Set(['row-skipped', 'row-in-part', 'row-repeated'])

/** What a run's record tells of its replies and they do not give: tokens, times, who served, coverage, causes, judges. */
export const recordProblems = (
  { suite, name, record, newestCall, profile }: RunCard,
  target: Target,
  { record: made, states, asked, replies }: Replayed,
): readonly Problem[] => {
  const facts = replyFacts(target, states(), replies)
  const judged = judgedOf(target, profile, { asked, states: states() })
  const { floor: _, ...coverage } = record.coverage
  const pairs: Readonly<Record<string, readonly [told: unknown, given: unknown]>> = {
    usage: [record.usage, made.usage],
    served: [record.served, made.served],
    coverage: [coverage, made.coverage],
    causes: [ofReplies(record.causes), ofReplies(made.causes)],
    ownStats: [record.ownStats, ownMeans(made)],
    newestCall: [newestCall, facts.newestCall],
    imported: [record.imported, facts.imported],
    // Older releases tell it otherwise, or not at all.
    ...(record.judged?.asked !== undefined && judged !== undefined
      ? { judged: [record.judged, { ...judgedCard(judged), benchmark: record.judged.benchmark }] }
      : {}),
  }
  const file = cardPath(suite, name)
  return Object.entries(pairs).flatMap(([field, [told, given]]) =>
    differing(told, given, field).map((path) => ({
      code: 'release/other-record',
      message: `${file}: ${path} is not what the replies give`,
      where: { file, field: path },
      remedy: 'Do not trust the release: what it says of its runs is not what their replies are.',
    })),
  )
}

const ofReplies = (causes: RunCard['record']['causes']): object =>
  Object.fromEntries(Object.entries(causes).filter(([cause]) => !OF_ROWS.has(cause)))

/** Paths of what differs; of a list the list. */
const differing = (told: unknown, given: unknown, path: string): readonly string[] => {
  if (isMapping(told) && isMapping(given))
    return [...new Set([...Object.keys(told), ...Object.keys(given)])].flatMap((name) =>
      differing(told[name], given[name], `${path}.${name}`),
    )
  return digestJson(plain(told)) === digestJson(plain(given)) ? [] : [path]
}

const plain = (value: unknown): Json => (value === undefined ? null : asJson(value as object))
