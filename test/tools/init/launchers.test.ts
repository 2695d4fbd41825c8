import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load, loadAll } from 'js-yaml'
import { expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

interface Step {
  readonly run?: string
}

interface Workflow {
  readonly jobs: Readonly<
    Record<
      'shard' | 'report',
      { readonly steps: readonly Step[]; readonly strategy?: { readonly matrix: { shard: number[] } } }
    >
  >
}

interface Pod {
  readonly args: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[]
}

interface Job {
  readonly spec: {
    readonly completions: number
    readonly completionMode: string
    readonly template: {
      readonly spec: { readonly containers: readonly Pod[]; readonly initContainers?: readonly Pod[] }
    }
  }
}

/** A workspace with launchers, and a tier beside it. */
const made = async (...flags: readonly string[]) => {
  const folder = temporaryFolder()
  const told = await medmake(['init', 'evals', ...flags], { cwd: folder })
  expect(told).toMatchObject({ code: 0, stderr: '' })
  const cwd = join(folder, 'evals')
  return { cwd, tier: temporaryFolder(), told: told.stdout }
}

/** What a step asks of medmake, as its shell would split it. */
const commandsOf = (steps: readonly Step[], values: Readonly<Record<string, string>>): string[][] =>
  steps
    .flatMap(({ run = '' }) => /^npx medmake (.*)$/m.exec(run)?.[1] ?? [])
    .map((line) =>
      line
        .replaceAll(/\$\{\{ ([\w.-]+) \}\}|"\$(\w+)"/g, (_, name: string, variable: string) => {
          const value = values[name || variable]
          expect(value, line).toBeDefined()
          return value ?? ''
        })
        .split(' '),
    )

it('init --ci makes a workflow whose parts and report work as they stand', async () => {
  const { cwd, tier } = await made('--ci')
  const { jobs } = load(readFileSync(join(cwd, '.github/workflows/evals.yml'), 'utf8')) as Workflow
  const parts = jobs.shard.strategy?.matrix.shard ?? []
  expect(parts.length).toBeGreaterThan(1)
  // Of as many parts as there are, two do for a trial.
  for (const part of ['0', '1']) {
    const values = { TIER: tier, 'strategy.job-index': part, 'strategy.job-total': '2' }
    const [args = [], ...more] = commandsOf(jobs.shard.steps, values)
    expect([args.includes('--shard'), more]).toEqual([true, []])
    const ended = await medmake(args, { cwd })
    expect(ended.code, ended.stderr).toBe(0)
  }
  const head = commandsOf(jobs.report.steps, { TIER: tier })
  expect(head.map(([verb]) => verb)).toEqual(['run', 'report'])
  for (const args of head) {
    const ended = await medmake(args, { cwd })
    expect(ended.code, ended.stderr).toBe(0)
  }
})

it('init --k8s makes jobs whose pods know their part by what Kubernetes says', async () => {
  const { cwd, tier } = await made('--k8s')
  const job = (file: string): Job => {
    const [only, ...more] = loadAll(readFileSync(join(cwd, 'k8s', file), 'utf8'))
    expect(more).toEqual([])
    return only as Job
  }
  const { spec } = job('shards.yaml')
  expect(spec.completionMode).toBe('Indexed')
  // The model that init writes has a limit, and each part takes a share of it.
  const concurrency = /concurrency: (\d+)/.exec(readFileSync(join(cwd, 'models/local.yaml'), 'utf8'))?.[1]
  expect(spec.completions).toBeLessThanOrEqual(Number(concurrency))
  const [pod] = spec.template.spec.containers
  const here = (args: readonly string[]): readonly string[] =>
    args.map((arg) => arg.replace(/^\/tier/, () => tier).replace(/^\/scratch/, () => `${tier}-scratch`))
  expect(pod?.env?.map(({ name }) => name)).toEqual(['TMPDIR', 'MEDMAKE_SUBMISSION'])
  for (const index of [0, spec.completions - 1]) {
    const env = { JOB_COMPLETION_INDEX: String(index), MEDMAKE_SUBMISSION: 'uid' }
    const ended = await medmake([...here(pod?.args ?? []), '--json'], { cwd, env })
    expect(ended.code, ended.stderr).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({ shard: { index, count: spec.completions } })
  }
  const beyond = { JOB_COMPLETION_INDEX: String(spec.completions) }
  expect((await medmake(here(pod?.args ?? []), { cwd, env: beyond })).code).toBe(2)

  const rest = await medmake(['run', '--tier', tier], { cwd })
  expect(rest.code, rest.stderr).toBe(0)
  const { initContainers = [], containers } = job('report.yaml').spec.template.spec
  for (const { args } of [...initContainers, ...containers]) {
    const ended = await medmake(here(args), { cwd })
    expect(ended.code, ended.stderr).toBe(0)
  }
  // HELM's files hold the texts of what is not public, which the tier has sealed alone.
  expect(readdirSync(join(tier, 'site'))).toContain('index.html')
  expect(readdirSync(tier, { recursive: true })).not.toContainEqual(expect.stringMatching(/scenario_state/))
})

it('an image is built without keys and stores', async () => {
  const { cwd } = await made('--k8s')
  const ignored = readFileSync(join(cwd, '.dockerignore'), 'utf8').split('\n')
  expect(ignored).toEqual(
    expect.arrayContaining(['prod_env/credentials.conf', '.env.local', 'cache', 'node_modules']),
  )
  // Deployments that are led elsewhere there would be asked where they were declared first.
  expect(ignored).not.toContain('prod_env')
})

it('an image installs from files that a clone has, and runs as no root', async () => {
  const { cwd } = await made('--k8s')
  const lines = readFileSync(join(cwd, 'Dockerfile'), 'utf8').split('\n')
  const copied = lines
    .find((line) => line.startsWith('COPY '))
    ?.split(' ')
    .slice(1, -1)
  expect(copied).toEqual(['package*.json', '.npmrc', 'medmake-*.tgz'])
  expect(lines.filter((line) => /^(?:FROM|USER|ENTRYPOINT) /.test(line))).toEqual([
    'FROM node:22-slim',
    'USER 1000',
    'ENTRYPOINT ["node", "/evals/node_modules/medmake/dist/medmake.js"]',
  ])
})

it('launchers come into a workspace that stands, and leave alone what is there', async () => {
  const { cwd, told } = await made()
  expect(told).not.toContain('.github')
  writeFileSync(join(cwd, 'Dockerfile'), 'FROM mine\n')
  const { code, stdout } = await medmake(['init', '.', '--ci', '--k8s'], { cwd })
  expect([code, stdout.split('\n').toSorted()]).toEqual([
    0,
    [
      'left as it is: Dockerfile',
      'wrote: .dockerignore',
      'wrote: .github/workflows/evals.yml',
      'wrote: k8s/report.yaml',
      'wrote: k8s/shards.yaml',
    ],
  ])
  expect(readFileSync(join(cwd, 'Dockerfile'), 'utf8')).toBe('FROM mine\n')
})
