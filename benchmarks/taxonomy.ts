import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../cache/package-root.ts'
import { parseYaml } from '../cache/problems/yaml-document.ts'
import { checkDocument } from '../cache/problems/zod-problems.ts'
import type { Fixed } from '../cache/values/json.ts'
import type { BenchmarkContext } from './context/context.ts'
import { decodeText, readBytes } from './sources/read-text.ts'

const Text = z.string().min(1, 'it must be some text')
export const TaxonomyFile = z.strictObject({
  categories: z.array(
    z.strictObject({
      name: Text,
      subcategories: z.array(z.strictObject({ name: Text, tasks: z.array(Text).default([]) })),
    }),
  ),
})

/** What medical work there is to do: categories, their subcategories, and the tasks within these. */
export type Taxonomy = Fixed<z.output<typeof TaxonomyFile>>

/** The workspace's `benchmarks/taxonomy.yaml`, else MedHELM's. @throws ProblemError with line and column */
export const readTaxonomy = async ({ workspace }: Pick<BenchmarkContext, 'workspace'>): Promise<Taxonomy> => {
  const own = join(workspace, 'benchmarks', 'taxonomy.yaml')
  const file = existsSync(own) ? own : join(packageRoot(), 'benchmarks', 'taxonomy.yaml')
  const text = decodeText(await readBytes(file, 'taxonomy'), file)
  return checkDocument(TaxonomyFile, parseYaml(text, file, { room: 'benchmarks' }), 'benchmarks')
}
