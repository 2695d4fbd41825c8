import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Stat {
  readonly name: { readonly name: string; readonly split?: string; readonly perturbation?: unknown }
  readonly count: number
  readonly sum: number
}

/** What HELM's five files of a run say, read without any code of ours. */
export interface RunFiles {
  readonly run: string
  readonly benchmark: string
  /** End of the run's name: `baseline_lead`. */
  readonly model: string
  /** Means of its metrics in the order of stats.json, those without a value left out. */
  readonly means: readonly number[]
  /** Mean of the main metric. */
  readonly mean: number
  /** The main metric by instance. */
  readonly values: ReadonlyMap<string, number>
  /** Criterion → score by instance and judge. */
  readonly scores: ReadonlyMap<string, Readonly<Record<string, Readonly<Record<string, number>>>>>
}

/** @param main metric of each benchmark */
export const readRunFiles = (folder: string, main: Readonly<Record<string, string>>): readonly RunFiles[] =>
  readdirSync(folder)
    .filter((run) => run.includes(':'))
    .map((run) => {
      const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, run, name), 'utf8'))
      const [benchmark = '', model = ''] = run.split(':model=')
      const stats = (read('stats.json') as readonly Stat[]).filter(
        ({ name, count }) => count > 0 && name.perturbation === undefined,
      )
      const own = stats.find(({ name }) => name.name === main[benchmark] && name.split === 'test')
      return {
        run,
        benchmark,
        model,
        means: stats.map(({ sum, count }) => sum / count),
        mean: own === undefined ? NaN : own.sum / own.count,
        values: new Map(
          (
            read('per_instance_stats.json') as readonly {
              readonly instance_id: string
              readonly stats: readonly Stat[]
            }[]
          ).flatMap(({ instance_id: id, stats: each }) =>
            each.flatMap(({ name, sum, count }) =>
              name.name === main[benchmark] && count > 0 ? [[id, sum / count] as const] : [],
            ),
          ),
        ),
        scores: scoresOf(read('scenario_state.json') as States),
      }
    })

interface States {
  readonly request_states: readonly {
    readonly instance: { readonly id: string }
    readonly annotations?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }[]
}

const scoresOf = ({ request_states: states }: States): RunFiles['scores'] =>
  new Map(
    states.map(({ instance: { id }, annotations = {} }) => [
      id,
      Object.fromEntries(
        Object.values(annotations)
          .flatMap((each) => Object.entries(each))
          .flatMap(([judge, told]) =>
            typeof told === 'object' && told !== null
              ? [
                  [
                    judge,
                    Object.fromEntries(
                      Object.entries(told as Readonly<Record<string, { readonly score?: number }>>).flatMap(
                        ([criterion, { score }]) => (score === undefined ? [] : [[criterion, score]]),
                      ),
                    ),
                  ],
                ]
              : [],
          ),
      ),
    ]),
  )

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** HELM's mean win rate, with half a win for a tie. @param scores by model, a column after the other */
export const winRatesOf = (columns: readonly (readonly number[])[]): readonly number[] =>
  (columns[0] ?? []).map((_, model) =>
    meanOf(
      columns.map((scores) => {
        const own = scores[model] ?? NaN
        const others = scores.filter((_score, at) => at !== model)
        return meanOf(others.map((score) => (own > score ? 1 : own === score ? 0.5 : 0)))
      }),
    ),
  )
