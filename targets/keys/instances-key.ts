import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { STAGE_VERSIONS } from './versions.ts'

/** What decides a benchmark's instances: its declaration's version, arguments, loader, corrections, digests of its data. */
export const instancesKey = async (benchmark: Benchmark): Promise<JsonObject> => ({
  stage: 'instances',
  version: STAGE_VERSIONS.instances,
  ...(await benchmark.identity()),
})
