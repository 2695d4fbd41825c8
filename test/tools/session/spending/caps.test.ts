import { describe, expect, test } from 'vitest'
import { ProblemError } from '../../../../cache/problems/problem.ts'
import type { DeploymentLimits, ModelDeployment } from '../../../../models/deployment/model.ts'
import type { Target } from '../../../../targets/record/target.ts'
import { requireShares } from '../../../../tools/cli/run/require-shares.ts'
import { refuseUnpriced } from '../../../../tools/session/spending/session-spending.ts'
import { BudgetConfig, capsOf } from '../../../../tools/session/workspace/config.ts'

describe('A run stands under', () => {
  const budget = BudgetConfig.parse({
    max_usd: 20,
    per_day: 0,
    deployments: { 'a/m': { max_usd: 5 }, 'a/n': { max_usd: 0, per_day: 10 } },
  })
  const others = [
    { period: 'day', name: 'budget.per_day', usd: 0 },
    { period: 'run', deployment: 'a/m', name: 'budget.deployments.a/m.max_usd', usd: 5 },
    { period: 'run', deployment: 'a/n', name: 'budget.deployments.a/n.max_usd', usd: 0 },
    { period: 'day', deployment: 'a/n', name: 'budget.deployments.a/n.per_day', usd: 10 },
  ]

  test('every cap of the budget, each of its own deployment and time, one of nothing included.', () => {
    expect(capsOf(budget, undefined)).toEqual([{ period: 'run', name: 'budget.max_usd', usd: 20 }, ...others])
    expect(capsOf(undefined, undefined)).toEqual([])
  })

  test('--max-usd in place of the budget’s own, though it is more.', () => {
    expect(capsOf(budget, 30)).toEqual([{ period: 'run', name: '--max-usd', usd: 30 }, ...others])
    expect(capsOf(undefined, 0)).toEqual([{ period: 'run', name: '--max-usd', usd: 0 }])
  })

  test('no cap below nothing.', () => {
    expect(BudgetConfig.safeParse({ max_usd: -0.01 }).success).toBe(false)
    expect(BudgetConfig.safeParse({ deployments: { 'a/m': { per_day: -1 } } }).success).toBe(false)
  })
})

const deploymentOf = (
  name: string,
  {
    limits = {},
    client = { className: 'medmake.chat', args: {} },
  }: { limits?: DeploymentLimits; client?: object } = {},
): ModelDeployment =>
  ({
    name,
    modelName: name,
    limits,
    file: 'models/own.yaml',
    client,
  }) as unknown as ModelDeployment
const embedded = (name: string, limits: DeploymentLimits = {}): ModelDeployment =>
  deploymentOf(name, { limits, client: { className: 'medmake.baseline', args: { name: 'first-choice' } } })

const messagesOf = (work: () => void): readonly string[] => {
  try {
    work()
    return []
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(({ message }) => message)
    throw error
  }
}

test('Under a cap every server that is asked has a price, each told once; what answers in this process needs none', () => {
  const prices = new Map([['a/m', {}]])
  const refused = (caps: readonly object[]): readonly string[] =>
    messagesOf(() =>
      refuseUnpriced(
        [
          deploymentOf('a/m'),
          deploymentOf('a/n'),
          deploymentOf('a/n'),
          embedded('b/own'),
          deploymentOf('a/o'),
        ],
        { prices, spending: { caps } } as unknown as Parameters<typeof refuseUnpriced>[1],
      ),
    )
  expect(refused([{ period: 'run', name: '--max-usd', usd: 1 }])).toEqual([
    'a/n has no price, so --max-usd cannot be held',
    'a/o has no price, so --max-usd cannot be held',
  ])
  expect(refused([])).toEqual([])
})

test('Limits of models and judges are split over no more tasks than they have parts', () => {
  const target = (deployment: ModelDeployment, judges: readonly ModelDeployment[] = []): Target =>
    ({ deployment, judges: judges.map((judge) => ({ deployment: judge })) }) as unknown as Target
  const four = deploymentOf('a/four', { limits: { concurrency: 4 } })
  const judge = deploymentOf('j/one', { limits: { requestsPerMinute: 3, concurrency: 50 } })
  const whole = deploymentOf('a/whole', { limits: { concurrency: 1, perMachine: true } })
  const refused = (count: number): readonly string[] =>
    messagesOf(() =>
      requireShares(
        [target(four, [judge]), target(whole, [judge]), target(embedded('b/own', { concurrency: 1 }))],
        count,
      ),
    )
  const message = (name: string, count: number): string =>
    `the limits of ${name} can't be split over ${count} tasks`
  expect([refused(3), refused(4), refused(5)]).toEqual([
    [],
    [message('j/one', 4)],
    [message('a/four', 5), message('j/one', 5)],
  ])
})
