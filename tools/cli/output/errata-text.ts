import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'

/** A line a benchmark whose errata a run corrects: what is put right, and what is not though all was asked for. */
export const errataText = (benchmarks: Iterable<Pick<Benchmark, 'name' | 'errata'>>): string | undefined => {
  const lines = new Set<string>()
  for (const { name, errata } of benchmarks)
    if (errata !== undefined) {
      const { corrected, uncorrected } = errata
      const missing = uncorrected.length === 0 ? '' : `; not corrected: ${uncorrected.join(', ')}`
      lines.add(`errata of ${name}: corrected: ${corrected.join(', ') || 'none'}${missing}`)
    }
  return lines.size === 0 ? undefined : [...lines].join('\n')
}
