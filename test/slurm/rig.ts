import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`
const PROGRAMS = ['slurmctld', 'slurmd', 'munged', 'mungekey', 'sbatch']

/** Why there can be no cluster here; undefined where there can. */
export const lacksSlurm = (): string | undefined => {
  const lacking = PROGRAMS.filter((name) => !PATH.split(':').some((folder) => existsSync(join(folder, name))))
  return lacking.length === 0 ? undefined : `no ${lacking.join(', ')}: apt-get install slurm-wlm munge`
}

/** Milliseconds between two looks at a state. */
const LOOK = 100

/** Waits for a state, however long it takes; a test's own timeout ends it. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await setTimeout(LOOK)
}

/** Looks at a number that has moved and moves no more. */
const STILL = 40

/** Waits until a number has grown and then stood still for long. */
export const settled = async (read: () => number): Promise<void> => {
  const first = read()
  let [last, still] = [first, 0]
  await until(() => {
    const now = read()
    still = now === last ? still + 1 : 0
    last = now
    return now > first && still >= STILL
  })
}

/**
 * A Slurm cluster of virtual nodes on this machine: a controller, node daemons and a munge of its own below one folder, on
 * free ports, without systemd, as any user. One kernel and one clock: it shows schedulers' behaviour, not networks'.
 */
export interface SlurmRig {
  readonly folder: string
  /** What makes Slurm's commands talk to it. */
  readonly env: Readonly<Record<string, string>>
  run(command: string, ...args: readonly string[]): string
  /**
   * kill: node and jobs are gone at once. pause: both stop. cut: its daemons stop, so that Slurm calls it down and runs its
   * jobs elsewhere, while they go on. resume: mends both. wake: what was paused goes on, without Slurm's daemons.
   */
  node(verb: 'kill' | 'pause' | 'cut' | 'resume' | 'wake', name: string): void
  /** Processes of medmake on a node. */
  tasks(name: string): number
  close(): Promise<void>
}

export const startSlurm = async (nodes: readonly string[], cpus: number): Promise<SlurmRig> => {
  const folder = mkdtempSync(join(tmpdir(), 'medmake-slurm-'))
  for (const part of ['state', 'spool', 'log', 'run']) mkdirSync(join(folder, part), { mode: 0o755 })
  for (const name of nodes) mkdirSync(join(folder, 'spool', name))
  const conf = join(folder, 'slurm.conf')
  const ports = await freePorts(nodes.length + 1)
  writeFileSync(conf, configuration({ folder, nodes, cpus, ports }))
  const env = { PATH, SLURM_CONF: conf }
  const run: SlurmRig['run'] = (command, ...args) => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  startMunge(folder, run)
  const daemon = (name: string, ...args: readonly string[]): ChildProcess =>
    spawn(name, args, { env: { ...process.env, ...env }, stdio: 'ignore', detached: true })
  const controller = daemon('slurmctld', '-D', '-i')
  const own = new Map(nodes.map((name) => [name, daemon('slurmd', '-D', '-N', name)]))
  const node: SlurmRig['node'] = (verb, name) => {
    const daemons = [own.get(name)?.pid ?? 0, ...stepDaemons(folder, name)]
    const found = [...(verb === 'wake' ? [] : daemons), ...(verb === 'cut' ? [] : jobsOf(conf, name))]
    const signals = {
      kill: 'SIGKILL',
      pause: 'SIGSTOP',
      cut: 'SIGSTOP',
      resume: 'SIGCONT',
      wake: 'SIGCONT',
    } as const
    const signal = signals[verb]
    for (const pid of found) signalTo(pid, signal)
  }
  await until(() => {
    if (controller.exitCode !== null) throw new Error(readFileSync(join(folder, 'log/ctld.log'), 'utf8'))
    return idleNodes(env) === nodes.length
  })
  return {
    folder,
    env,
    run,
    node,
    tasks: (name) =>
      jobsOf(conf, name).filter((pid) =>
        orEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').includes('medmake.js'),
      ).length,
    close: async () => {
      for (const name of nodes) node('kill', name)
      controller.kill('SIGKILL')
      for (const child of [controller, ...own.values()])
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      // Ended otherwise it writes a file while the folder goes.
      signalTo(Number(readFileSync(join(folder, 'run/munged.pid'), 'utf8')), 'SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const idleNodes = (env: Readonly<Record<string, string>>): number => {
  const { stdout } = spawnSync('sinfo', ['-h', '-N', '-t', 'idle', '-o', '%N'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return new Set(stdout.split('\n').filter((name) => name !== '')).size
}

const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    if (pid > 0) process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/** Bound all at once, so that none is given twice. */
const freePorts = async (count: number): Promise<readonly number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const startMunge = (folder: string, run: SlurmRig['run']): void => {
  const at = (name: string): string => join(folder, name)
  run('mungekey', '-c', '-k', at('run/munge.key'))
  run(
    'munged',
    `--socket=${at('run/munge')}`,
    `--key-file=${at('run/munge.key')}`,
    `--pid-file=${at('run/munged.pid')}`,
    `--log-file=${at('log/munged.log')}`,
    `--seed-file=${at('run/munge.seed')}`,
    '--num-threads=2',
    '--force',
  )
}

interface Shape {
  readonly folder: string
  readonly nodes: readonly string[]
  readonly cpus: number
  readonly ports: readonly number[]
}

/** Short timeouts: a silent node is down after 10 s, and its jobs wait 5 s more (Slurm's own: 300 and 120). */
const configuration = ({ folder, nodes, cpus, ports }: Shape): string => {
  const [host] = hostname().split('.')
  const user = userInfo().username
  return `ClusterName=rig
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${ports[0]}
AuthType=auth/munge
AuthInfo=socket=${folder}/run/munge,cred_expire=5
CredType=cred/munge
SlurmUser=${user}
SlurmdUser=${user}
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool/%n
SlurmctldPidFile=${folder}/run/ctld.pid
SlurmdPidFile=${folder}/run/%n.pid
SlurmctldLogFile=${folder}/log/ctld.log
SlurmdLogFile=${folder}/log/%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ReturnToService=2
JobRequeue=1
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=2
MinJobAge=600
MessageTimeout=5
InactiveLimit=0
TCPTimeout=2
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=0
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP LLN=YES
${nodes.map((name, index) => `NodeName=${name} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports[index + 1]} CPUs=${cpus} State=UNKNOWN\n`).join('')}`
}

const processes = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const orEmpty = <T>(read: () => T, none: T): T => {
  try {
    return read()
  } catch {
    return none
  }
}

/** Step daemons leave their parent; what they hold open names the node. */
const stepDaemons = (folder: string, name: string): readonly number[] =>
  processes().filter((pid) => {
    if (!orEmpty(() => readFileSync(`/proc/${pid}/comm`, 'utf8'), '').startsWith('slurmstepd')) return false
    const open = orEmpty(() => readdirSync(`/proc/${pid}/fd`).map((fd) => `fd/${fd}`), [])
    return ['cwd', ...open].some((link) => {
      const path = orEmpty(() => readlinkSync(`/proc/${pid}/${link}`), '')
      return path === `${folder}/log/${name}.log` || `${path}/`.startsWith(`${folder}/spool/${name}/`)
    })
  })

/** What a job has started carries its node and this rig's configuration in its environment. */
const jobsOf = (conf: string, name: string): readonly number[] =>
  processes().filter((pid) => {
    const variables = orEmpty(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '').split('\0')
    return variables.includes(`SLURMD_NODENAME=${name}`) && variables.includes(`SLURM_CONF=${conf}`)
  })
