import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { columnsOf, mapRows } from '../../../benchmarks/declaration/data/map-rows.ts'
import { checkDeclaration, readDeclarationYaml } from '../../../benchmarks/declaration/read-declaration.ts'
import { isCorrect } from '../../../benchmarks/scenario/instance.ts'
import { packageRoot } from '../../../cache/package-root.ts'

const CATALOG = join(packageRoot(), 'benchmarks/catalog')
const letters = (last: string): Readonly<Record<string, string>> =>
  Object.fromEntries(['A', 'B', 'C'].filter((letter) => letter <= last).map((letter) => [letter, letter]))

/** What the data says of the right answer → the answer's text; `opa` is option a. */
const ANSWERS: Readonly<Record<string, readonly [column: string, Readonly<Record<string, string>>]>> = {
  clear: [
    'result_human',
    { '1': 'Has a history of pain', '0': 'Does not have a history of pain', '2': 'Uncertain' },
  ],
  medbullets: ['answer_idx', { A: 'opa', B: 'opb', C: 'opc', D: 'opd', E: 'ope' }],
  medhelm_med_mcqa: ['cop', { '1': 'opa', '2': 'opb', '3': 'opc', '4': 'opd' }],
  shc_ent_med: ['label', letters('C')],
  shc_proxy_med: ['label', letters('C')],
  synt_right_of_access: ['label', letters('C')],
  ...Object.fromEntries(
    readdirSync(CATALOG)
      .filter((name) => /^shc_(?:bmt|cdi|conf|gip|privacy|ptbm|sei|sequoia)_med$|^synt_[fw]/.test(name))
      .map((name) => [name, ['label', letters('B')] as const]),
  ),
}

test.each(Object.entries(ANSWERS))(
  'Of %s each answer of the data is the option that it means.',
  async (name, known) => {
    const [column, texts] = known
    const document = await readDeclarationYaml(join(CATALOG, name, 'benchmark.yaml'))
    const placeholders = new Map([['name', 'pain']])
    const mappings = (checkDeclaration(document).content.protocols ?? []).flatMap(
      ({ instances }) => instances ?? [],
    )
    expect(mappings.length).toBeGreaterThan(0)
    for (const mapping of mappings) {
      const columns = [...columnsOf(mapping, placeholders), column]
      const rows = Object.keys(texts).map((label, at) => {
        const cells = new Map(columns.map((each) => [each, each === column ? label : each] as const))
        return { cells: cells.set('context', `of ${at}`).set('text', `of ${at}`), row: at + 1 }
      })
      const table = { file: 'data', columns: [...columns, 'context', 'text'], rows }
      const right = mapRows(mapping, table, placeholders).map(({ references }) =>
        references.filter(isCorrect).map(({ text }) => text),
      )
      expect(right).toEqual(Object.values(texts).map((text) => [text]))
    }
  },
)
