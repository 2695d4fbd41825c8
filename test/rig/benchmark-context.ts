import { join } from 'node:path'
import type { Digest } from '../../cache/values/digest.ts'
import type {
  BenchmarkContext,
  FileDigests,
  FileStat,
  SourceEvent,
} from '../../benchmarks/context/context.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { METRIC_CATALOG } from '../../targets/metrics/catalog.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Remembers digests for as long as the test runs, and how often a file had to be read. */
export class MemoryDigests implements FileDigests {
  reads = 0
  private readonly known = new Map<string, Digest<'file'>>()

  get(path: string, stat: FileStat): Digest<'file'> | undefined {
    return this.known.get(keyOf(path, stat))
  }

  put(path: string, stat: FileStat, digest: Digest<'file'>): Promise<void> {
    this.reads++
    this.known.set(keyOf(path, stat), digest)
    return Promise.resolve()
  }
}

const keyOf = (path: string, stat: FileStat): string =>
  `${path} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.inode}`

export interface TestContext extends BenchmarkContext {
  readonly events: readonly SourceEvent[]
  readonly fileDigests: MemoryDigests
}

/** A context over a new empty workspace. */
export const benchmarkContext = (given: Partial<BenchmarkContext> = {}): TestContext => {
  const workspace = given.workspace ?? temporaryFolder()
  const events: SourceEvent[] = []
  return {
    cwd: workspace,
    metrics: METRIC_CATALOG,
    dataPath: join(workspace, 'data'),
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    ...given,
    workspace,
    events,
    fileDigests: new MemoryDigests(),
  }
}

/** All instances of a benchmark, read. */
export const instancesOf = async (benchmark: Pick<Benchmark, 'instances'>): Promise<readonly Instance[]> => {
  const instances: Instance[] = []
  for await (const instance of benchmark.instances()) instances.push(instance)
  return instances
}
