import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { str } from '../../benchmarks/python/numbers/number.ts'
import type { ParityCase } from './case.ts'
import { runCases } from './run-cases.ts'

const GATED = 'golden/gated-and-private'

/** The gated and private benchmarks, on the invented files that HELM read in their place. */
export const gatedCases = (shared: string): readonly ParityCase[] => {
  const runs = join(shared, GATED, 'runs')
  if (!existsSync(runs)) return []
  return runCases({
    runs,
    source: `${GATED}/runs`,
    context: {},
    argumentsOf: (benchmark, args) => {
      const inputs = join(shared, GATED, 'inputs', benchmark)
      // HELM's path names a file or a folder; the inputs lie where its last part would.
      const placed = (path: string): string => {
        const file = join(inputs, basename(path))
        return existsSync(file) ? file : inputs
      }
      return new Map(args.map(([name, value]) => [name, name === 'data_path' ? placed(str(value)) : value]))
    },
  })
}
