import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { defined } from '../../../cache/values/defined.ts'
import { readFile } from '../../../cache/files/read.ts'
import { makeFolder } from '../../../cache/files/folders.ts'
import { rewriteFile } from '../../../cache/files/write.ts'
import { givenTable, isWorkbook } from '../../../benchmarks/sources/given/given-table.ts'
import { readBytes } from '../../../benchmarks/sources/read-text.ts'
import { EXIT } from '../../../cache/problems/problem.ts'
import { folderOf, JURY, newBenchmark, withNotice } from '../../benchmark/new-benchmark.ts'
import { givenData, type SampleData } from '../../benchmark/sample-data.ts'
import { homeOf, requireFree, wantedBenchmark, type Wanted } from '../../benchmark/wanted.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import {
  badFlag,
  boolFlag,
  choiceFlag,
  listFlag,
  requireBeside,
  textFlag,
  missingArgument,
} from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { askWanted } from './ask.ts'
import { localPathOf } from '../common/session-flags.ts'

/** `medmake benchmark new`: writes what is not there; asks on a terminal for what no flag says. */
export const newAction: Action = async (invocation) => {
  const { flags, cwd, print, warn } = invocation
  const workspace = await findWorkspace(cwd)
  const { root } = workspace
  requireBeside(flags, 'data', ['sheet'])
  const told = await toldOf(invocation)
  if (told.name !== undefined) requireFree(told.name, root)
  const asks = process.stdin.isTTY && process.stderr.isTTY && !boolFlag(flags, 'yes')
  const wanted = asks ? await askWanted(told, root) : told
  if (wanted.name === undefined)
    throw missingArgument(
      'nothing says what the benchmark is called',
      'Write medmake benchmark new NAME; on a terminal it is asked for.',
    )
  if (wanted.judges !== undefined && wanted.metrics?.includes(JURY) !== true)
    throw badFlag(
      '--judges',
      '--judges says who reads the answers for jury_score, which is none of the metrics',
      'Add --metrics jury_score, or leave --judges out.',
    )
  const home = homeOf(root)
  const known = await wantedBenchmark(
    { ...wanted, name: wanted.name },
    root,
    localPathOf(flags, cwd, workspace),
  )
  const { files, notice } = newBenchmark(known, home)
  const noticed = await addNotice(root, notice)
  const [declaration, ...others] = [...files].map(([path, text]) => [join(root, path), text] as const)
  // The declaration last: without it there is no benchmark, and who is stopped before can do so again.
  for (const [file, text] of [...others, ...(declaration ? [declaration] : [])]) {
    const isThere = existsSync(file)
    if (!isThere) {
      makeFolder(dirname(file))
      rewriteFile(file, text)
    }
    print(`${isThere ? 'left as it is' : 'wrote'}: ${relative(cwd, file)}`)
  }
  print(`added a line to: ${relative(cwd, noticed)}`)
  for (const note of known.data?.notes ?? []) warn(note)
  if (known.data !== undefined && known.access !== 'public')
    warn(
      `${folderOf(known.name, home)}/data.csv is ${known.access}: a line /${folderOf(known.name, home)}/data.csv in .gitignore keeps it out of git.`,
    )
  print(`\n  medmake benchmark check ${known.name}`)
  return EXIT.done
}

const toldOf = async ({ args, flags, cwd }: Invocation): Promise<Partial<Wanted>> => {
  const file = textFlag(flags, 'data')
  return defined({
    name: args[0],
    description: textFlag(flags, 'description'),
    access: choiceFlag(flags, 'access', ['public', 'gated', 'private']),
    metrics: listFlag(flags, 'metrics')?.flatMap((names) => names.split(',')),
    ownMetric: textFlag(flags, 'ownMetric'),
    judges: listFlag(flags, 'judges')?.flatMap((names) => names.split(',')),
    source: textFlag(flags, 'source'),
    licence: textFlag(flags, 'licence'),
    data: file === undefined ? undefined : await readData(resolve(cwd, file), textFlag(flags, 'sheet')),
  })
}

const readData = async (file: string, sheet: string | undefined): Promise<SampleData> => {
  const bytes = await readBytes(file, 'data file')
  if (sheet !== undefined && !isWorkbook(bytes))
    throw badFlag(
      '--sheet',
      `--sheet names a sheet, and ${file} is no workbook of Excel`,
      'Leave --sheet out.',
    )
  const given = givenTable(bytes, file, sheet)
  const more = given.others.length === 0 ? [] : ['--sheet NAME reads another sheet.']
  return givenData({ ...given, notes: [...given.notes, ...more] })
}

const addNotice = async (root: string, line: string): Promise<string> => {
  const file = join(root, 'NOTICE')
  rewriteFile(file, withNotice(existsSync(file) ? await readFile(file, 'utf8') : '', line))
  return file
}
