// Completes package-lock.json: `npm install` leaves out optional packages of platforms that its registry could not
// serve, and `npm ci` then refuses the lock everywhere. What is added has no digest: nobody here saw the package.
// Run it after each `npm install`; with --check it writes nothing and fails where something is missing; with --digests
// it asks the registry for the digests that are not there, and adds those of packages that it has.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'package-lock.json'
const SYSTEMS = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openbsd',
  'netbsd',
  'openharmony',
  'sunos',
  'win32',
])
const PROCESSORS = new Set([
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
])

/** What a platform package runs on, by the words of its name: `oxlint-linux-arm64-musl`. */
const platformOf = (name) => {
  const words = name.split(/[-/]/)
  const os = words.find((word) => SYSTEMS.has(word))
  const cpu = words.find((word) => PROCESSORS.has(word))
  if (os === undefined || cpu === undefined) throw new Error(`${name}: can't tell its platform`)
  const libc =
    os !== 'linux'
      ? undefined
      : words.some((word) => word.startsWith('musl'))
        ? 'musl'
        : words.some((word) => word.startsWith('gnu'))
          ? 'glibc'
          : undefined
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) }
}

/** Where Node would look for `name` from the package at `place`, nearest first. */
const placesOf = (place, name) => {
  const folders = place === '' ? [] : [place]
  for (let at = place.lastIndexOf('/node_modules/'); at > 0; at = place.lastIndexOf('/node_modules/', at - 1))
    folders.push(place.slice(0, at))
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`]
}

const missingFrom = (packages) => {
  const missing = {}
  for (const [place, { optionalDependencies = {}, dev }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (placesOf(place, name).some((candidate) => candidate in packages)) continue
      if (!/^\d/.test(version)) throw new Error(`${name}: ${version} is no exact version`)
      missing[`node_modules/${name}`] = {
        version,
        ...platformOf(name),
        ...(dev ? { dev } : {}),
        optional: true,
      }
    }
  return missing
}

/** Undefined where the registry lacks the package. */
const integrityOf = (name, version) => {
  try {
    const text = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const addDigests = (packages) => {
  let [added, left] = [0, 0]
  for (const [place, entry] of Object.entries(packages)) {
    if (place === '' || entry.link || entry.integrity !== undefined) continue
    const integrity = integrityOf(place.slice(place.lastIndexOf('node_modules/') + 13), entry.version)
    if (typeof integrity === 'string') {
      const { version, ...rest } = entry
      packages[place] = { version, integrity, ...rest }
      added += 1
    } else left += 1
  }
  console.log(`${added} digests added to ${FILE}, ${left} packages are not in the registry`)
}

const lock = JSON.parse(readFileSync(FILE, 'utf8'))
const missing = missingFrom(lock.packages)
const names = Object.keys(missing)
if (process.argv.includes('--check')) {
  if (names.length > 0) {
    console.error(`${FILE} lacks ${names.join(', ')}; run node tools/build/complete-lock.mjs`)
    process.exitCode = 1
  }
} else if (process.argv.includes('--digests')) {
  addDigests(lock.packages)
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
} else if (names.length > 0) {
  const all = Object.entries({ ...lock.packages, ...missing })
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${names.length} packages added to ${FILE}`)
}
