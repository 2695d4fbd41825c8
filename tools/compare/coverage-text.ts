import { isRanked, type BoardCell } from '../../targets/board/board-cell.ts'
import { CAUSES, type Cause, type Causes, type Coverage } from '../../targets/record/coverage.ts'
import type { UnderFloor } from '../../targets/compare/under-floor.ts'
import {
  formatCount,
  formatDeclared,
  formatShare,
  formatValue,
  plural,
} from '../../cache/words/number-text.ts'

const NAMES: Readonly<Record<Cause, readonly [one: string, many: string]>> = {
  'prompt-truncated': ['truncated prompt', 'truncated prompts'],
  'empty-completion': ['empty completion', 'empty completions'],
  refused: ['refusal', 'refusals'],
  truncated: ['truncated completion', 'truncated completions'],
  'provider-error': ['provider error', 'provider errors'],
  'not-stored': ['reply not stored', 'replies not stored'],
  'judge-missing': ['judgement without reply', 'judgements without reply'],
  'judge-unparseable': ['unreadable judgement', 'unreadable judgements'],
  'judge-out-of-range': ['judgement out of range', 'judgements out of range'],
  'not-measured': ['reply without value', 'replies without value'],
  'row-skipped': ['skipped row', 'skipped rows'],
  'row-in-part': ['row read in part', 'rows read in part'],
  'row-repeated': ['repeated row', 'repeated rows'],
  'model-drift': ['reply of a model that changed', 'replies of a model that changed'],
}

/** The cause in words, for one or for several. */
export const causeName = (cause: Cause, count: number): string => NAMES[cause][count === 1 ? 0 : 1]

/** `28 provider errors, 1 refusal`; empty without a cause. */
export const causesText = (causes: Causes): string =>
  CAUSES.flatMap((cause) => {
    const count = causes[cause] ?? 0
    return count === 0 ? [] : [`${formatCount(count)} ${causeName(cause, count)}`]
  }).join(', ')

/** `97.2 % measured, 54.2 % of judgements read`; empty where all is there, or nobody counted. */
export const shortfallText = ({ evaluated, measured, judgements }: Coverage): string =>
  [
    ...(measured < evaluated ? [`${formatShare(measured / evaluated)} measured`] : []),
    ...(judgements === undefined || judgements.read >= judgements.wanted
      ? []
      : [`${formatShare(judgements.read / judgements.wanted)} of judgements read`]),
  ].join(', ')

/** `54.2 % of judgements read, under the floor of 99.0 %` */
export const underFloorText = (coverage: UnderFloor): string =>
  `${shortfallText(coverage)}, under the floor of ${formatDeclared(coverage.floor)}`

/** `1 run of the benchmark missing`; empty where its runs are those that models are ranked by, and can be read. */
export const runsText = ({
  missingRuns = 0,
  emptyRuns = 0,
  leftOutRuns = [],
}: Pick<BoardCell, 'missingRuns' | 'emptyRuns' | 'leftOutRuns'>): string =>
  [
    ...(missingRuns === 0 ? [] : [`${plural(missingRuns, 'run')} of the benchmark missing`]),
    ...(emptyRuns === 0 ? [] : [`${plural(emptyRuns, 'run')} without an answer that could be read`]),
    ...(leftOutRuns.length === 0
      ? []
      : [`${plural(leftOutRuns.length, 'run')} left out, which too few models have`]),
  ].join(', ')

/** `unranked: 97.2 % measured, 28 provider errors`; empty for a cell that is whole. */
export const incompleteText = (cell: BoardCell): string => {
  const parts = [runsText(cell), shortfallText(cell), causesText(cell.causes)]
    .filter((part) => part !== '')
    .join(', ')
  if (isRanked(cell)) return parts
  return parts === '' ? 'unranked' : `unranked: ${parts}`
}

/** What places go by where HELM's mean holds defaults for what was lost. */
export const meanInFull = (score: number): string =>
  `${formatValue(score)}: the mean of what could be read in full`
