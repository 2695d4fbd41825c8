import type { Float } from '../../../benchmarks/python/numbers/float.ts'
import type { Cell, HeaderCell, Hyperlink, HelmTable } from '../../../targets/tables/table.ts'
import { any, flag, list, optional, record, text, texts, type Fields, type Form } from './form.ts'

/** Cell in HELM's order (HELM.md F4). */
const cell: Fields<Cell> = {
  value: optional(any as Form<string | number | Float>),
  displayValue: optional(text),
  description: optional(text),
  href: optional(text),
  style: optional(texts),
  markdown: flag,
  runSpecNames: optional(list(text)),
}

/** Table in HELM's order (HELM.md F4). */
export const tableForm: Form<HelmTable> = record<HelmTable>({
  title: text,
  header: list(record<HeaderCell>({ ...cell, lowerIsBetter: optional(flag), metadata: texts })),
  rows: list(list(record<Cell>(cell))),
  links: list(record<Hyperlink>({ text, href: text })),
  name: optional(text),
  description: optional(text),
})
