import { expect, test } from 'vitest'
import type { ProfileComparison } from '../../../targets/compare/profiles/compare-profiles.ts'
import { chatsFile, GRADED_ENTRY, gradedFiles } from '../../edits/graded-base.ts'
import type { Message } from '../../rig/health-bench.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const chat = (id: string, rubrics: Readonly<Record<string, number>>) => ({
  prompt_id: id,
  example_tags: [],
  prompt: [{ role: 'user', content: `What now, ${id}?` }],
  rubrics: Object.entries(rubrics).map(([criterion, points]) => ({ criterion, points, tags: [] })),
})

/** With a system message the answer is a bad one, without it a good one; graders say so. */
const setUp = async () => {
  const server = await fakeServer({
    answer: ({ prompt, body }) => {
      if (!prompt.includes('# Rubric item')) {
        const messages = body['messages'] as readonly Message[]
        return messages[0]?.role === 'system' ? 'Answer: panic' : 'Answer: rest'
      }
      const shown = prompt.split('# Rubric item')[1]?.split('# Instructions')[0] ?? ''
      const met = shown.includes('frightens') === prompt.includes('Answer: panic')
      return `{"explanation": "", "criteria_met": ${met}}`
    },
  })
  const chats = [chat('one', { helps: 5, frightens: -8 }), chat('two', { helps: 4 })]
  const files = gradedFiles(server)
  const models = `${files['models/fake.yaml']}`.replaceAll(
    'limits:',
    'tokenizer_name: simple/tokenizer1\n    limits:',
  )
  return { server, cwd: createWorkspace({ ...files, 'models/fake.yaml': models, ...chatsFile(chats) }) }
}

const FOLDING = 2 / 7 + 1.6

test('folded points are told from what is asked otherwise, and nobody is asked', async () => {
  const { server, cwd } = await setUp()
  const compare = (profiles: string, ...flags: readonly string[]) =>
    medmake(['compare', '--profiles', profiles, '--suite', 'main', ...flags], { cwd })
  const runsOf = (stdout: string): readonly ProfileComparison[] =>
    (JSON.parse(stdout) as { readonly runs: readonly ProfileComparison[] }).runs

  expect(await medmake(['run', 'main'], { cwd })).toMatchObject({ code: 0 })
  const paid = server.journal().requests
  const [alone] = ['helm-0.5.16,medhelm-0.8', 'medhelm-0.8,helm-0.5.16']
  const half = await compare(alone ?? '')
  expect(half.code).toBe(1)
  expect(half.stdout).toMatch(/ −0\.800 +0\.143\* +\+0\.943 /)
  expect(half.stdout).toContain('* Not run under this profile')
  expect(half.stderr).toContain('not finished under both profiles')
  expect(server.journal().requests).toBe(paid)

  const fork = await medmake(['run', 'main', '--profile', 'medhelm-0.8', '--output-path', 'fork'], { cwd })
  expect(fork.code, fork.stderr).toBe(0)
  const both = server.journal().requests
  const whole = await compare('helm-0.5.16,medhelm-0.8', '--format', 'json')
  expect(whole.code, whole.stderr).toBe(0)
  const [run] = runsOf(whole.stdout)
  expect(run).toMatchObject({
    name: GRADED_ENTRY.replace('jury_config_path=grader.yaml,model=fake/a', 'model=fake_a'),
    askedOtherwise: ['system message', 'temperature', 'max_tokens'],
    changed: 2,
  })
  expect(run?.a.mean).toBeCloseTo(-0.8, 12)
  expect(run?.b.mean).toBeCloseTo((5 / 7 + 1) / 2, 12)
  expect(run?.causes.map(({ cause, requests, changed }) => [cause, requests, changed])).toEqual([
    ['folded', 2, 1],
    ['asked-otherwise', 2, 2],
  ])
  const [folded, asked] = run?.causes ?? []
  expect(folded?.difference).toBeCloseTo(FOLDING / 2, 12)
  expect(asked?.difference).toBeCloseTo((3 / 7 + 1) / 2, 12)

  const back = await compare('medhelm-0.8,helm-0.5.16', '--format', 'json')
  expect(runsOf(back.stdout)[0]?.causes[0]?.difference).toBeCloseTo(-FOLDING / 2, 12)
  const text = await compare('helm-0.5.16,medhelm-0.8')
  expect(text.stdout).toContain('points below 0 folded')
  expect(text.stdout).toContain('asked otherwise: system message, temperature, max_tokens')
  expect(server.journal().requests).toBe(both)
})
