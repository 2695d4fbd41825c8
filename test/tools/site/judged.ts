import { makeSnapshot } from '../../../tools/site/history/make-snapshot.ts'
import type { SiteJudges } from '../../../tools/site/content/stored-judges.ts'
import type { SiteSuite } from '../../../tools/site/site.ts'
import { judgesReports } from '../../../targets/jury/study/judges-report.ts'
import { HOSTILE } from './sketch-site.ts'

const JUDGES = ['strict', 'mild', `judge ${HOSTILE}`] as const

/** Judges of the sketched public benchmark: each leans its own way, and on every third answer they part. */
export const sketchedJudges = ({ board }: SiteSuite): readonly SiteJudges[] => {
  const models = board.rows.slice(0, 2).map(({ model }) => model.deployment)
  const reports = judgesReports(
    models.map((model, own) => ({
      benchmark: 'bench',
      model,
      scores: Array.from({ length: 12 }, (_, at) =>
        JUDGES.map((judge, lean) => ({
          instance: `id${at}`,
          judge,
          score: 2 + ((at * 7 + own) % 3) + (at % 3 === 0 ? lean : 0.1 * lean),
        })),
      ).flat(),
      sources: new Map(),
      points: 4,
      isShown: true,
    })),
    (name) => (name === 'mild' || name === models[0] ? 'Kin' : name),
  )
  return reports.map((report) => ({
    ...report,
    column: 'bench',
    runs: Object.fromEntries(
      board.rows.flatMap(({ model, cells }) =>
        cells[0]?.runs[0] ? [[model.deployment, cells[0].runs[0]]] : [],
      ),
    ),
    coverage: JUDGES.map((judge) => ({ judge, asked: 24, counted: 23, unreadable: 1, outOfRange: 0 })),
  }))
}

/** The suite as it stood before: other places, scores, prices and data. */
export const sketchedHistory = (suite: SiteSuite): NonNullable<SiteSuite['history']> => {
  const now = makeSnapshot(suite)
  return [
    {
      label: `before ${HOSTILE}`,
      snapshot: {
        ...now,
        release: 'v0',
        models: now.models.map((model, at) => ({
          ...model,
          place: at + 1,
          winRate: 0.2 * at,
          price: { input: 9, output: 9 },
          cells: model.cells.map((cell) => cell && { ...cell, score: 0.1, data: 'other', jury: [HOSTILE] }),
        })),
      },
    },
  ]
}
