import { asJson } from '../../cache/stored-shape.ts'
import { keepingFor, type StoreEnv } from '../env/env.ts'
import type { BoardCalibration } from './board-run.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'

/** Raised when the same labels give another calibration. */
const VERSION = 6

const idOf = (record: string): string => `calibration:${VERSION}:${record}`

/** What clinicians' labels made of a run's jury score; undefined where none were given for this very record. */
export const storedCalibration = async (
  record: string,
  benchmark: Pick<Benchmark, 'access'>,
  env: StoreEnv,
): Promise<BoardCalibration | undefined> => {
  const { store } = await keepingFor(benchmark, env)
  return (store.get('files', idOf(record)) ?? undefined) as BoardCalibration | undefined
}

/** Kept under the record's digest: a run that changes has no calibration until its answers are rated anew. */
export const keepCalibration = async (
  record: string,
  calibration: BoardCalibration | null,
  { benchmark, env }: { readonly benchmark: Pick<Benchmark, 'access'>; readonly env: StoreEnv },
): Promise<void> => {
  const { store } = await keepingFor(benchmark, env)
  await store.put('files', idOf(record), asJson(calibration))
}
