import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOf } from '../../cache/values/digest.ts'
import type { FakeCall } from '../bench/fake-answer.ts'
import { fakeServer } from '../rig/fake-server.ts'
import { medmake } from '../rig/medmake.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'
import { createWorkspace, type Files } from '../rig/workspace.ts'
import { baseFiles, codedFiles, cutFiles } from './base.ts'
import { codeEdits } from './code-edits.ts'
import { dataEdits } from './data-edits.ts'
import { askingEdits, juryEdits, metricEdits } from './declaration-edits.ts'
import type { Edit, Work } from './edit.ts'
import { gradedFiles } from './graded-base.ts'
import { cutEdits, modelEdits } from './model-edits.ts'
import { rubricEdits } from './rubric-edits.ts'
import { editsTable, type Outcome } from './table.ts'
import { workspaceEdits } from './workspace-edits.ts'

const outcomes: Outcome[] = []

// `npm run edits` prints what this file holds.
afterAll(() => {
  if (process.env['MEDMAKE_EDITS_TABLE'] !== undefined) process.stdout.write(editsTable(outcomes))
})

let server: Awaited<ReturnType<typeof fakeServer>>
beforeAll(async () => {
  server = await fakeServer({ answer: ownAnswer })
})

/**
 * No two calls get the same reply: metrics read latencies, too, and whether two of them are the same to the millisecond
 * must decide nothing here.
 */
const ownAnswer = ({ prompt, model, body, attempt }: FakeCall): string => {
  const own = digestOf(JSON.stringify([model, body, attempt])).slice(0, 8)
  if (prompt.includes('# Rubric item'))
    return `{"explanation": "${own}", "criteria_met": ${parseInt(own, 16) % 2 === 0}}`
  if (!prompt.includes('<rubric_criteria>')) return `answer ${own}`
  return `{"accuracy": {"score": ${1 + (parseInt(own, 16) % 5)}, "explanation": "${own}"}}`
}

const STAGES = ['instances', 'prompts', 'completions', 'annotations', 'metrics'] as const

/** Runs the workspace; `calls` are those that the server counted. */
const run = async (
  root: string,
  flags: readonly string[],
  { folder = '.', env = {} }: NonNullable<Edit['from']> = {},
): Promise<Required<Work>> => {
  const before = server.journal().requests
  const result = await medmake(['run', '--json', ...flags], { cwd: join(root, folder), env, isFresh: true })
  if (result.code !== 0) throw new Error(result.stderr)
  const { stages } = JSON.parse(result.stdout) as {
    readonly stages: Readonly<Record<(typeof STAGES)[number], { readonly executed: number }>>
  }
  const [instances, prompts, completions, annotations, metrics] = STAGES.map(
    (stage) => stages[stage].executed,
  )
  const calls = server.journal().requests - before
  return { instances, prompts, completions, annotations, metrics, calls } as Required<Work>
}

const NONE = { instances: 0, prompts: 0, completions: 0, annotations: 0, metrics: 0, calls: 0 }

/** Each edit is made to a copy of one built workspace. */
const holds = (
  group: string,
  files: (from: { readonly url: string }) => Files,
  edits: readonly Edit[],
): void => {
  describe(group, () => {
    let built: string
    beforeAll(async () => {
      built = createWorkspace(files(server))
      const first = await run(built, [])
      expect(first.calls).toBeGreaterThan(0)
    })

    it.each(edits)('$about', async ({ about, apply, work, why, from }) => {
      const root = join(temporaryFolder(), 'workspace')
      cpSync(built, root, { recursive: true })
      const flags = apply(root) ?? []
      const done = await run(root, flags, from)
      outcomes.push({ group, about, ...(why === undefined ? {} : { why }), work: done })
      expect(done).toEqual({ ...NONE, ...work })
    })
  })
}

holds('rows of data', baseFiles, dataEdits)
holds('what is asked', baseFiles, askingEdits)
holds('who judges', baseFiles, juryEdits)
holds("what an answer's own rubric says", gradedFiles, rubricEdits)
holds('what is measured', baseFiles, metricEdits)
holds('who answers', baseFiles, modelEdits)
holds('what cuts replies', cutFiles, cutEdits)
holds('names and places', baseFiles, workspaceEdits)
holds("a workspace's own code", codedFiles, codeEdits)
