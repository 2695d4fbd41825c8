export type PairTarget = 'generate' | 'score'

/** Where a pair's target leaves the digest of its result, relative to the workspace. */
export const resultPath = (project: string, target: PairTarget): string =>
  `cache/results/${project}/${target}.json`

/** Where `report` leaves the note that it was made, relative to the workspace. */
export const REPORT_PATH = 'cache/results/leaderboard/report.json'
