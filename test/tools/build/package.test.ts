import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'

interface Packed {
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

describe('the package', () => {
  it('holds what runs and no source of it, in at most 1 MB', async () => {
    const { stdout } = await execa('npm', ['pack', '--dry-run', '--json'], { cwd: packageRoot() })
    const [packed] = JSON.parse(stdout) as [Packed]
    const paths = packed.files.map(({ path }) => path)
    expect(packed.size).toBeLessThan(1e6)
    const sources = paths.filter((path) => /(?<!\.d)\.tsx?$|\.map$/.test(path))
    expect(sources.filter((path) => !path.startsWith('tools/init/example/'))).toEqual([])
    expect(paths).toEqual(
      expect.arrayContaining([
        'dist/medmake.js',
        'dist/LICENSES.txt',
        'dist/benchmarks/ehr_sql/scenario.js',
        'benchmarks/catalog/medcalc_bench/benchmark.yaml',
        'tools/nx/index.cjs',
        'tools/init/template/npmrc',
        'tools/init/example/targets/metrics/affirmed_terms.ts',
        'dist/schemas/benchmark.schema.json',
      ]),
    )
  })
})
