import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test, vi } from 'vitest'
import { attemptsFolder, endsFolder } from '../../../cache/tier/tier.ts'
import { formatAttempt } from '../../../cache/tier/attempt.ts'
import { openTier } from '../../../cache/tier/open-tier.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { readClusterFile, writeClusterFile } from '../../../tools/cluster/cluster-file.ts'
import { shardStates } from '../../../tools/cluster/shard-states.ts'
import { arrayScript, arrayText, headScript } from '../../../tools/cluster/slurm.ts'
import { shardOfEnvironment, submissionOf } from '../../../tools/cluster/shard-of-environment.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { alike, shardWorkspace } from '../../rig/shard-workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

test('cluster plan prices a run, says how it is cut, and writes scripts that it never touches again', async () => {
  const server = await fakeServer({ answer: alike })
  const cwd = shardWorkspace(server, { rows: 20, limits: '{requests_per_minute: 602}' })
  const tier = temporaryFolder()
  const plan = (...more: readonly string[]) =>
    medmake(['cluster', 'plan', 'main', '--tier', tier, '-m', '10', ...more], { cwd })
  const told = await plan('--tasks', '4', '--max-usd', '8')
  expect(told.code, told.stderr).toBe(0)
  expect(told.stdout).toMatch(/40 answers in 4 shards/)
  expect(told.stdout).toContain('cap 8 USD: 2.00 a task')
  expect(told.stdout).toContain('requests per minute 602; of a task at least requests per minute 150')
  const script = join(cwd, 'cluster/main.sbatch')
  const text = readFileSync(script, 'utf8')
  expect(text).toContain('run main --max-eval-instances 10 --tier')
  expect(text.length).toBeLessThan(1500)
  writeFileSync(script, '#SBATCH --account=own')
  const file = readClusterFile(cwd, 'main')
  writeClusterFile(cwd, 'main', { ...file, jobs: [{ array: '7' }] })
  expect((await plan('--tasks', '4', '--max-usd', '9')).code).toBe(0)
  expect(readClusterFile(cwd, 'main')).toEqual({
    ...file,
    caps: ['--max-usd', '9'],
    jobs: [{ array: '7' }],
  })
  const again = await plan('--tasks', '2', '--json')
  const { sizes } = JSON.parse(again.stdout) as { sizes: readonly number[] }
  expect(sizes.reduce((sum, size) => sum + size)).toBe(40)
  expect(readFileSync(script, 'utf8')).toBe('#SBATCH --account=own')

  const status = await medmake(['cluster', 'status', 'main'], { cwd, env: { PATH: '' } })
  expect([status.code, status.stdout]).toEqual([1, expect.stringContaining('0 of 2 shards done')])
  const submitted = await medmake(['cluster', 'submit', 'main'], { cwd, env: { PATH: '' } })
  expect([submitted.code, submitted.stderr]).toEqual([2, expect.stringContaining('there is no squeue here')])
  for (const [args, code] of [
    [['plan', 'main', '--tier', tier], 'cli/missing-flag'],
    [['plan', 'main', '--tasks', '4'], 'cli/missing-flag'],
    [['plan', 'main', '--tasks', '603', '--tier', tier], 'models/too-many-tasks'],
    [['status', 'other'], 'cluster/no-plan'],
    [['plna'], 'cli/unknown-command'],
  ] as const) {
    const wrong = await medmake(['cluster', ...args], { cwd })
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(code)])
  }
  expect(existsSync(join(cwd, 'cluster/main.json'))).toBe(true)
  expect(server.journal().requests).toBe(0)
})

test('cluster plan tells the sizes of a million parts', async () => {
  const cwd = shardWorkspace(await fakeServer({ answer: alike }), { rows: 2, limits: '{per_machine: true}' })
  const told = await medmake(['cluster', 'plan', 'main', '--tier', temporaryFolder(), '--tasks', '1000000'], {
    cwd,
  })
  expect(told.code, told.stderr).toBe(0)
  expect(told.stdout).toMatch(/ answers in 1000000 shards \(0–\d each\)/)
})

test('what a damaged file tells of a task or a plan is not taken for an end, nor shown', async () => {
  const [root, place] = [temporaryFolder(), temporaryFolder()]
  const tier = await openTier(place, root)
  const plan = digestOf<'plan'>('plan')
  const attempt = { shard: 0, number: 0, nonce: '0'.repeat(16) }
  const name = `${formatAttempt(attempt)}.json`
  await tier.create(`${attemptsFolder(plan)}/${name}`, '{}')
  const damaged = ['', '{"state":"do', 'null', '{}']
  for (const text of damaged) {
    await tier.create(`${endsFolder(plan)}/${name}`, text)
    const [state] = await shardStates(tier, plan, 1)
    expect(state).toMatchObject({ state: 'unreadable', attempts: 1, providerCalls: 0, usd: null })
    await tier.remove(`${endsFolder(plan)}/${name}`, Buffer.byteLength(text))
  }
  for (const text of damaged) {
    writeFiles(root, { 'cluster/main.json': text })
    expect(() => readClusterFile(root, 'main')).toThrow("what was planned for main can't be read")
  }
})

test('what Slurm took is not sent again where it refuses the head, and who can’t ask it calls no task lost', async () => {
  const [cwd, bin, place] = [createWorkspace(), temporaryFolder(), temporaryFolder()]
  const plan = digestOf<'plan'>('plan')
  writeClusterFile(cwd, 'main', { plan, shards: 2, tier: place, run: ['main'], caps: [], jobs: [] })
  const program = (name: string, text: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const cluster = (...args: readonly string[]) =>
    medmake(['cluster', ...args], { cwd, env: { PATH: `${bin}:${process.env['PATH']}` } })
  const jobs = () => readClusterFile(cwd, 'main').jobs
  const refusing = `case "$*" in *head*) `
  program('sbatch', `echo "$@" >> ${bin}/sent; ${refusing} echo timed out >&2; exit 1;; esac; echo 7`)
  program('squeue', `printf '0|PENDING|\\n0|RUNNING|n1\\n1|PENDING|\\n'`)
  expect(await cluster('submit', 'main')).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('shards as job 7') as string,
  })
  expect(jobs()).toEqual([{ array: '7' }])
  expect((await cluster('submit', 'main')).stderr).toContain('[cluster/queued]')
  program('sbatch', `echo "$@" >> ${bin}/sent; echo 8`)
  expect((await cluster('resume', 'main')).stdout).toBe('job 8 merges when they have ended')
  expect(jobs()).toEqual([{ array: '7', head: '8' }])
  const sent = readFileSync(join(bin, 'sent'), 'utf8').trim().split('\n')
  expect(sent.map((line) => line.split(' ')[1])).toEqual([
    '--array=0-1',
    '--dependency=afterany:7',
    '--dependency=afterany:7',
  ])

  const attempt = { shard: 0, number: 0, nonce: '0'.repeat(16) }
  const tier = await openTier(place, cwd)
  await tier.create(`${attemptsFolder(plan)}/${formatAttempt(attempt)}.json`, '{}')
  const states = async (): Promise<unknown> => {
    const { stdout } = await cluster('status', 'main', '--json')
    const { shards } = JSON.parse(stdout) as { shards: readonly { state: string; usd: number | null }[] }
    return shards.map(({ state, usd }) => [state, usd])
  }
  // What an attempt cost that has not said so is not known.
  expect(await states()).toEqual([
    ['running', null],
    ['waiting', 0],
  ])
  program('squeue', `printf '0|PENDING|\\n'`)
  expect(await states()).toEqual([
    ['lost', null],
    ['waiting', 0],
  ])
  program('squeue', 'echo Socket timed out >&2; exit 1')
  expect(await states()).toEqual([
    ['begun', null],
    ['waiting', 0],
  ])
})

test('what Slurm took of a sender that was killed is found in its queue: nothing is sent twice, and the head once all is done', async () => {
  const [cwd, bin, place] = [createWorkspace(), temporaryFolder(), temporaryFolder()]
  const plan = digestOf<'plan'>('plan')
  const file = { plan, shards: 2, tier: place, run: ['main'], caps: [], jobs: [] }
  writeClusterFile(cwd, 'main', file)
  const program = (name: string, text: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const cluster = (...args: readonly string[]) =>
    medmake(['cluster', ...args], { cwd, env: { PATH: `${bin}:${process.env['PATH']}` } })
  const queue = (lines: readonly string[]): void =>
    program(
      'squeue',
      `case "$*" in *--user*) cat << E\n${lines.join('\n')}\nE\n;; *"--job 7 "*) printf '0|PENDING|\\n1|PENDING|\\n';; esac`,
    )
  const script = join(cwd, 'cluster/main')
  const [array, head] = [`7|${script}.sbatch 2 ${plan} --max-usd 3`, `9|${script}.head.sbatch ${plan}`]
  // Of other plans, and of other workspaces.
  const others = [
    `3|${script}.sbatch 2 ${plan}0`,
    `4|${script}.sbatch 3 ${plan}`,
    `5|/other${script}.sbatch 2 ${plan}`,
  ]
  program('sbatch', `echo "$@" >> ${bin}/sent; echo 8`)
  const sent = () => readFileSync(join(bin, 'sent'), 'utf8').trim().split('\n')
  const jobs = () => readClusterFile(cwd, 'main').jobs

  queue([array, ...others])
  expect((await cluster('submit', 'main')).stderr).toContain('job 7 of main is in the queue')
  expect(existsSync(join(bin, 'sent'))).toBe(false)
  expect((await cluster('resume', 'main')).stdout).toBe('job 8 merges when they have ended')
  expect(sent()).toEqual([`--parsable --dependency=afterany:7 ${script}.head.sbatch ${plan}`])
  expect(jobs()).toEqual([{ array: '7', head: '8' }])

  // Killed once Slurm had the head.
  writeClusterFile(cwd, 'main', { ...file, jobs: [{ array: '7' }] })
  queue([array, head, ...others])
  expect((await cluster('resume', 'main')).stdout).toBe('every shard is done or in the queue')
  expect([sent().length, jobs()]).toEqual([1, [{ array: '7', head: '9' }]])
  program('sbatch', 'kill -9 $PPID')
  writeClusterFile(cwd, 'main', file)
  queue([array, ...others])
  await startMedmake(['cluster', 'resume', 'main'], { cwd, env: { PATH: `${bin}:${process.env['PATH']}` } })
  expect(jobs()).toEqual([{ array: '7' }])
  program('sbatch', `echo "$@" >> ${bin}/sent; echo 8`)

  writeClusterFile(cwd, 'main', file)
  const tier = await openTier(place, cwd)
  for (const shard of [0, 1]) {
    const name = `${formatAttempt({ shard, number: 0, nonce: '0'.repeat(16) })}.json`
    await tier.create(`${attemptsFolder(plan)}/${name}`, '{}')
    await tier.create(`${endsFolder(plan)}/${name}`, '{"state":"done","providerCalls":0}')
  }
  queue([head, ...others])
  expect((await cluster('resume', 'main')).stdout).toBe('every shard is done or in the queue')
  expect(sent().length).toBe(1)
  writeClusterFile(cwd, 'main', file)
  queue(others)
  expect((await cluster('resume', 'main')).stdout).toBe('job 8 merges when they have ended')
  expect((await cluster('resume', 'main')).stdout).toBe('every shard is done or in the queue')
  expect(sent().length).toBe(2)
})

test('a task is as far as its last attempt, cost what all of them did, and alone is handed in again', async () => {
  const [cwd, bin, place] = [createWorkspace(), temporaryFolder(), temporaryFolder()]
  const plan = digestOf<'plan'>('plan')
  const caps = ['--max-usd', '4']
  writeClusterFile(cwd, 'main', { plan, shards: 3, tier: place, run: ['main'], caps, jobs: [{ array: '7' }] })
  const program = (name: string, text: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  program('sbatch', `echo "$@" >> ${bin}/sent; echo '8;north'`)
  program('squeue', "printf '2|PENDING|\\n[3-4]|PENDING|\\n'")
  const cluster = (...args: readonly string[]) =>
    medmake(['cluster', ...args], { cwd, env: { PATH: `${bin}:${process.env['PATH']}` } })
  const tier = await openTier(place, cwd)
  const attempt = async (shard: number, number: number, end?: object): Promise<void> => {
    const name = `${formatAttempt({ shard, number, nonce: String(number).repeat(16) })}.json`
    await tier.create(`${attemptsFolder(plan)}/${name}`, '{}')
    if (end !== undefined) await tier.create(`${endsFolder(plan)}/${name}`, JSON.stringify(end))
  }
  const answers = { requests: 5, answered: 5 }
  await attempt(0, 1, { ...answers, state: 'done', providerCalls: 2, usd: 0.25 })
  await attempt(0, 0, { ...answers, answered: 3, state: 'stopped', providerCalls: 3, usd: 0.5 })
  await attempt(1, 0, { ...answers, state: 'incomplete', providerCalls: 1, usd: null })
  expect(await cluster('status', 'main')).toMatchObject({
    code: 1,
    stdout: [
      'shard       state    queue  attempts  requests  answered  calls      USD',
      '0            done                  2         5         5      5     0.75',
      '1      incomplete                  1         5         5      1  unknown',
      '2         waiting  pending         0                          0        0',
      '1 of 3 shards done',
    ].join('\n'),
  })
  expect((await cluster('resume', 'main')).stdout).toBe(
    'submitted 1 of 3 shards as job 8\njob 8 merges when they have ended',
  )
  expect(readFileSync(join(bin, 'sent'), 'utf8').replaceAll(`${cwd}/`, '').split('\n')).toEqual([
    `--parsable --array=1 cluster/main.sbatch 3 ${plan} --max-usd 4`,
    `--parsable --dependency=afterany:7:8 cluster/main.head.sbatch ${plan}`,
    '',
  ])
  // Of what it has forgotten Slurm says that there is no such job.
  program(
    'squeue',
    'case "$*" in *--user*) exit 0;; esac; echo slurm_load_jobs error: Invalid job id specified >&2; exit 1',
  )
  for (const shard of [1, 2]) await attempt(shard, 1, { ...answers, state: 'done', providerCalls: 1, usd: 0 })
  expect(await cluster('status', 'main', '--watch')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('3 of 3 shards done') as string,
  })
  expect((await cluster('resume', 'main')).stdout).toBe('every shard is done or in the queue')
})

test('the script asks for its task once more at 75 alone, whatever signals come', async () => {
  const root = temporaryFolder()
  const script = arrayScript({ root, name: 'main', tier: root, run: [] })
  // In place of medmake: a command of the test's.
  const file = join(root, 'main.sbatch')
  writeFileSync(file, script.replace(/^node .* &$/m, 'bash -c "$1" &').replace('; shift 2', ''))
  const requeues = join(root, 'requeues')
  writeFileSync(join(root, 'scontrol'), `#!/bin/sh\necho "$@" >> ${requeues}\n`, { mode: 0o755 })
  const ask = (task: string) =>
    execa('bash', [file, task], {
      reject: false,
      env: { PATH: `${root}:${process.env['PATH']}`, SLURM_ARRAY_JOB_ID: '7', SLURM_ARRAY_TASK_ID: '3' },
    })
  for (const code of [0, 1, 4]) expect((await ask(`exit ${code}`)).exitCode).toBe(code)
  expect((await ask('kill -9 $$')).exitCode).toBe(137)
  expect(existsSync(requeues)).toBe(false)
  expect((await ask('exit 75')).exitCode).toBe(75)
  const ready = join(root, 'ready')
  const stopped = ask(`trap 'exit 75' TERM; touch ${ready}; while :; do sleep 0.05; done`)
  await vi.waitUntil(() => existsSync(ready), { timeout: 60_000 })
  stopped.kill('SIGTERM')
  expect((await stopped).exitCode).toBe(75)
  expect(readFileSync(requeues, 'utf8')).toBe('requeue 7_3\nrequeue 7_3\n')
})

test('a head removes what heads left on its node that was lost, and nothing of one that is at work', async () => {
  const root = temporaryFolder()
  const file = join(root, 'head')
  writeFileSync(file, headScript({ root, name: 'main', tier: root, run: [] }))
  mkdirSync(join(root, 'medmake-head-lost'))
  // In place of medmake: the first one starts another head, which ends before it.
  writeFileSync(
    join(root, 'node'),
    `#!/bin/sh\nif mkdir begun 2> /dev/null; then bash ${file}; ls -d medmake-head-* > seen; fi\n`,
    { mode: 0o755 },
  )
  await execa('bash', [file], { env: { PATH: `${root}:${process.env['PATH']}`, TMPDIR: root } })
  expect(readFileSync(join(root, 'seen'), 'utf8')).toMatch(/^medmake-head-\w{6}\n$/)
  expect(readdirSync(root).filter((name) => name.startsWith('medmake-head-'))).toEqual([])
})

test('schedulers tell which part a task is; a rerun of a few keeps the count that it is given', () => {
  const slurm = (id: number, least: number, most: number): Record<string, string> => ({
    SLURM_ARRAY_TASK_ID: String(id),
    SLURM_ARRAY_TASK_MIN: String(least),
    SLURM_ARRAY_TASK_MAX: String(most),
    SLURM_ARRAY_TASK_COUNT: String(most - least + 1),
    SLURM_ARRAY_JOB_ID: '77',
  })
  expect(shardOfEnvironment(slurm(5, 2, 5), 8)).toEqual({ index: 5, count: 8 })
  expect(shardOfEnvironment(slurm(1, 1, 8), 8)).toEqual({ index: 0, count: 8 })
  expect(shardOfEnvironment(slurm(4, 2, 5), undefined)).toEqual({ index: 2, count: 4 })
  expect(submissionOf(slurm(1, 0, 3))).toBe('77')
  expect(shardOfEnvironment({ JOB_COMPLETION_INDEX: '0' }, 3)).toEqual({ index: 0, count: 3 })
  expect(shardOfEnvironment({ JOB_COMPLETION_INDEX: '0' }, undefined)).toBeUndefined()
  expect(shardOfEnvironment({ CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2' }, undefined)).toEqual({
    index: 0,
    count: 2,
  })
  expect(shardOfEnvironment({}, 3)).toBeUndefined()
  // The first parts of eight once more, and an array that tells no ends.
  expect(shardOfEnvironment(slurm(1, 1, 5), 8)).toEqual({ index: 1, count: 8 })
  const bare = { SLURM_ARRAY_TASK_ID: '2', SLURM_ARRAY_TASK_COUNT: '3' }
  expect(shardOfEnvironment(bare, undefined)).toEqual({ index: 2, count: 3 })
  const others = [
    { CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '4', CIRCLE_WORKFLOW_ID: 'c/1' },
    { BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '4', BUILDKITE_BUILD_ID: 'b 1' },
    { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4', CI_PIPELINE_ID: 'p_1', GITHUB_RUN_ID: '' },
  ]
  for (const env of others) expect(shardOfEnvironment(env, undefined)).toEqual({ index: 1, count: 4 })
  expect(others.map(submissionOf)).toEqual(['c-1', 'b-1', 'p_1'])
  expect(submissionOf({ MEDMAKE_SUBMISSION: 'm', SLURM_ARRAY_JOB_ID: '7', GITHUB_RUN_ID: '8' })).toBe('m')
  expect([submissionOf({}), shardOfEnvironment({ CI_NODE_INDEX: 'x' }, 3)]).toEqual([undefined, undefined])
  expect(arrayText([7, 0, 1, 2, 5])).toBe('0-2,5,7')
})
