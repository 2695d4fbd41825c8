import type { Place } from '../../../cache/problems/problem.ts'
import type { DataStatus, DataVariant } from '../../../benchmarks/lookup/data-status.ts'
import { request } from '../../../benchmarks/declaration/data/locate.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { wrapped } from '../../../cache/words/tables.ts'

/** The whole catalog at a glance: what is wrong in full, the rest by what is to be done about it. */
export const catalogLines = (entries: readonly DataStatus[]): readonly string[] => {
  const missing = entries.filter(({ condition }) => condition === 'missing')
  const elsewhere = missing.filter(({ fetchable }) => !fetchable)
  const groups: readonly (readonly [what: string, of: readonly DataStatus[]])[] = [
    ['ready', entries.filter(({ condition }) => condition === 'ready')],
    ['to download: `medmake data fetch`', missing.filter(({ fetchable }) => fetchable)],
    ['gated: `medmake data status NAME` says whom to ask, and where it goes', elsewhere.filter(isGated)],
    [
      'private or of your own: `medmake data status NAME` says likewise',
      elsewhere.filter((entry) => !isGated(entry)),
    ],
  ]
  const wrong = entries.filter(({ condition }) => condition === 'mismatched')
  return [
    ...wrong.flatMap((entry) => linesOf(entry, 0)),
    ...groups.flatMap(([what, of]) =>
      of.length === 0 ? [] : [`${plural(of.length, 'benchmark')} ${what}`, ...listed(of.map(partlyReady))],
    ),
    ...lastLines(entries),
  ]
}

const isGated = ({ access }: DataStatus): boolean => access === 'gated'

const partlyReady = ({ name, variants }: DataStatus): string => {
  const ready = variants.filter(({ condition }) => condition === 'ready').length
  return ready === 0 || ready === variants.length ? name : `${name} (${ready} of ${variants.length} ready)`
}

const WIDTH = 100
const INDENT = '    '

/** Names side by side, as many as fit. */
const listed = (names: readonly string[]): readonly string[] =>
  wrapped(names, ', ', WIDTH - INDENT.length).map((line) => INDENT + line)

/** How the data of benchmarks that are named stands: a line each, and below it what is to be done. */
export const dataLines = (entries: readonly DataStatus[]): readonly string[] => {
  const width = Math.max(0, ...entries.map(({ name }) => name.length))
  return [...entries.flatMap((entry) => linesOf(entry, width)), ...lastLines(entries)]
}

const lastLines = (entries: readonly DataStatus[]): readonly string[] => {
  const count = (condition: DataStatus['condition']): number =>
    entries.filter((entry) => entry.condition === condition).length
  return [
    ...(entries.some(({ condition, fetchable }) => condition === 'missing' && !fetchable)
      ? ['Data that lies elsewhere is named in the run entry: data_path=<path>.']
      : []),
    `${count('ready')} ready, ${count('missing')} missing, ${count('mismatched')} mismatched`,
  ]
}

const linesOf = (entry: DataStatus, width: number): readonly string[] => {
  const { name, access, accessReason, condition, variants } = entry
  const ready = variants.filter((variant) => variant.condition === 'ready').length
  const part = variants.length > 1 && condition !== 'ready' ? `, ${ready} of ${variants.length} ready` : ''
  const why = accessReason === undefined ? '' : `, ${access} since ${accessReason}`
  const head = `${name.padEnd(width)}  ${access.padEnd(7)}  ${condition}${part}${why}`
  return [head, ...detailOf(entry).map((line) => `    ${line}`)]
}

const detailOf = (entry: DataStatus): readonly string[] => {
  const isTold = ({ condition, problems: [first] }: DataVariant): boolean =>
    condition === 'mismatched' || first?.where?.file === undefined || first.where.field !== undefined
  const lacking = entry.variants.filter(({ condition }) => condition !== 'ready')
  const mismatches = [...new Set(lacking.filter(isTold).flatMap(mismatch))]
  // What a declaration names and is not there has that for its place.
  const missing = lacking.filter((variant) => !isTold(variant))
  if (missing.length === 0) return mismatches
  if (entry.fetchable) return [...mismatches, `not downloaded: medmake data fetch ${entry.name}`]
  const files = [...new Set(missing.flatMap(filesOf))]
  const ask = request(entry.obtain).trim()
  return [
    ...mismatches,
    ...(ask === '' ? [] : [ask]),
    files.length === 1 ? `put it there: ${files[0]}` : 'put the files there:',
    ...(files.length === 1 ? [] : files.map((file) => `  ${file}`)),
  ]
}

/** The first fault of the data; the others often follow from it. */
const mismatch = ({ problems: [first] }: DataVariant): readonly string[] =>
  first === undefined
    ? []
    : [`${placeText(first.where)}${first.message} [${first.code}]`, `  ${first.remedy}`]

const filesOf = ({ problems }: DataVariant): readonly string[] =>
  problems.flatMap(({ where }) => (where?.file === undefined ? [] : [where.file]))

const placeText = (where: Place | undefined): string => {
  if (where === undefined) return ''
  const { file = '', line, row, field } = where
  const cell = [row === undefined ? '' : `row ${row}`, field ?? ''].filter((part) => part !== '').join(', ')
  return `${file}${line === undefined ? '' : `:${line}`}${cell === '' ? '' : ` ${cell}`}: `
}
