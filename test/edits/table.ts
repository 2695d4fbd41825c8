import type { Work } from './edit.ts'

export interface Outcome {
  readonly group: string
  readonly about: string
  readonly why?: string
  readonly work: Required<Work>
}

const HEADS = ['instances', 'prompts', 'completions', 'annotations', 'metrics', 'calls'] as const

/** Stage results executed by a rerun after each edit; a blank is none. */
export const editsTable = (outcomes: readonly Outcome[]): string => {
  const width = Math.max(...outcomes.map(({ about }) => about.length))
  const line = (cells: readonly string[], tail: string): string =>
    `${cells.map((cell, index) => cell.padStart((HEADS[index]?.length ?? 0) + 2)).join('')}${tail === '' ? '' : `   ${tail}`}\n`
  const groups = [...new Set(outcomes.map(({ group }) => group))]
  return groups
    .map((group) => {
      const rows = outcomes.filter((each) => each.group === group)
      const head = `\n${group.padEnd(width)}${line(HEADS, '')}`
      return `${head}${rows
        .map(({ about, work, why = '' }) => {
          const cells = HEADS.map((name) => (work[name] === 0 ? '' : String(work[name])))
          return `${about.padEnd(width)}${line(cells, why)}`
        })
        .join('')}`
    })
    .join('')
}
