import { expect, test } from 'vitest'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { ClientError } from '../../../models/calls/client.ts'
import type { Target } from '../../../targets/record/target.ts'
import { builtRun, builtRunUnless } from '../../../tools/session/built-run.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import { askedText, madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'

const instances = madeUpInstances([
  ['one', 'a'],
  ['two', 'b'],
])

test('A run is there where it was built to its end as it is declared now, and with failures where these are allowed', async () => {
  const { env } = await madeUpRun((request, deployment) => {
    if (deployment === 'm/b' && askedText(request).includes('two'))
      throw new ClientError('http/400', 'no', { retriable: false, status: 400 })
    return textReply('a')
  })
  const [whole, failed] = ['m/a', 'm/b'].map((model) => madeUpTarget({ instances, model }))
  const targets = [whole, failed] as readonly Target[]
  const [made] = await buildTargets(targets, env)
  const there = (target: Target, allowFailures: boolean) =>
    builtRun({ suite: 's', target }, { env }, allowFailures)
  const found = await Promise.all(targets.flatMap((each) => [there(each, false), there(each, true)]))
  expect(found.map((each) => each?.record.coverage.measured)).toEqual([2, 2, undefined, 1])
  expect(found[0]).toMatchObject({ suite: 's', digest: made?.digest })
  expect(await there(madeUpTarget({ instances, adapter: { maxTokens: 6 } }), true)).toBeUndefined()
})

test('Data that cannot be read is why a run is missing, told without its words unless it is public', async () => {
  const { env } = await madeUpRun(() => textReply('a'))
  const missing = async (access: 'public' | 'private', error: Error): Promise<readonly string[]> => {
    const identity = async (): Promise<never> => {
      throw error
    }
    const target = madeUpTarget({ instances, access, benchmark: { identity } })
    const problems: Problem[] = []
    const session = { allowFailures: false, problems }
    expect(await builtRunUnless({ suite: 's', target }, { env }, session)).toBeUndefined()
    return problems.map(({ message }) => message)
  }
  const unread = new ProblemError({
    code: 'benchmarks/x',
    message: 'a row says "canary"',
    remedy: 'Mend it.',
  })
  expect(await missing('public', unread)).toEqual(['a row says "canary"'])
  expect(String(await missing('private', unread))).not.toContain('canary')
  await expect(missing('public', new TypeError('ours'))).rejects.toThrow('ours')
})
