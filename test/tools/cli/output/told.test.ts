import { expect, test } from 'vitest'
import { ProblemError } from '../../../../cache/problems/problem.ts'
import { secretHider } from '../../../../tools/cli/main.ts'
import { formatProblems, problemsText } from '../../../../tools/cli/output/print-problems.ts'
import { createSummary } from '../../../../tools/cli/output/progress.ts'

test('Keys and tokens of the environment are hidden in all that is printed, the longer before the shorter', () => {
  const hide = secretHider({
    OPENAI_API_KEY: 'sk-12345',
    HF_TOKEN: 'sk-12345-and-more',
    MEDMAKE_VAULT_KEY: 'vault-key',
    HELM_CREDENTIALS: 'credentials',
    A_SECRET: 'a-secret',
    A_PASSWORD: 'password',
    SHORT_TOKEN: '1234567',
    HOME: '/home/somebody',
    NO_TOKEN_HERE: 'none-of-them',
    EMPTY_TOKEN: undefined,
  })
  expect(hide('sk-12345 sk-12345-and-more sk-12345')).toBe('[OPENAI_API_KEY] [HF_TOKEN] [OPENAI_API_KEY]')
  expect(hide('vault-key credentials a-secret password')).toBe(
    '[MEDMAKE_VAULT_KEY] [HELM_CREDENTIALS] [A_SECRET] [A_PASSWORD]',
  )
  expect(hide('1234567 /home/somebody none-of-them')).toBe('1234567 /home/somebody none-of-them')
})

test('A problem says what, where as far as it is known, and how to mend it; each is told once', () => {
  const bad = (where?: object) => ({ code: 'a/b', message: 'no', remedy: 'Do.', ...(where && { where }) })
  const text = (...wheres: (object | undefined)[]) => formatProblems(wheres.map(bad), false)
  expect(text(undefined)).toBe('error no [a/b]\n  Do.')
  expect(text({ file: 'f.csv', line: 2, column: 3 })).toBe('error f.csv:2:3: no [a/b]\n  Do.')
  expect(text({ file: 'f.csv', row: 4, field: 'column "note"' })).toBe(
    'error f.csv row 4, column "note": no [a/b]\n  Do.',
  )
  expect(text({ field: '--max-usd' })).toBe('error --max-usd: no [a/b]\n  Do.')
  expect(text(undefined, { row: 1 }, undefined)).toBe('error no [a/b]\nerror row 1: no [a/b]\n  Do.')
  const rows = (count: number) => text(...Array.from({ length: count }, (_, row) => ({ row })))
  expect(rows(6)).toContain('error row 4: no [a/b]\nerror row 5: no [a/b]\n  Do.')
  expect(rows(40)).toContain('error row 4: no [a/b]\n  and 35 more like these\n  Do.')
  expect(rows(40)).not.toContain('row 5')
  const other = { ...bad({ row: 7 }), remedy: 'Do else.' }
  expect(formatProblems([bad(), other, bad({ row: 1 })], false)).toBe(
    'error no [a/b]\nerror row 1: no [a/b]\n  Do.\nerror row 7: no [a/b]\n  Do else.',
  )
  expect(problemsText([new ProblemError(bad()), new TypeError('ours')], false)).toBe('error no [a/b]\n  Do.')
  expect(problemsText([new TypeError('ours')], false)).toBe('')
  expect(formatProblems([bad({ field: 'x' })], true)).toBe(
    '\u001b[31merror\u001b[39m \u001b[1mx\u001b[22m: no [a/b]\n  Do.',
  )
})

test('A summary counts stages and calls, and forgets failures where all is tried again', () => {
  const summary = createSummary()
  const results = (executed: number, cached: number) =>
    summary.on({ type: 'stage-results', target: 't', stage: 'prompts', executed, cached })
  results(2, 1)
  results(3, 4)
  summary.on({ type: 'stage-results', target: 't', stage: 'metrics', executed: 1, cached: 0 })
  summary.on({ type: 'provider-call', target: 't', deployment: 'a/m', usd: 0.5 })
  summary.on({ type: 'provider-call', target: 't', deployment: 'a/m', usd: null })
  const failure = {
    target: 't',
    instance: 'i',
    stage: 'annotations',
    judge: 'j',
    code: 'c',
    detail: 'd',
  } as const
  summary.on({ type: 'instance-failed', ...failure })
  expect([summary.executed(), summary.providerCalls()]).toEqual([6, 2])
  expect(summary.json({ total: 1 })).toMatchObject({
    targets: { total: 1 },
    stages: {
      prompts: { executed: 5, cached: 5 },
      metrics: { executed: 1, cached: 0 },
      completions: { executed: 0 },
    },
    providerCalls: 2,
    failures: [failure],
    // Of two calls one has no price: no sum is right.
    usd: null,
  })
  summary.nextRound()
  expect(summary.failures()).toEqual([])
})
