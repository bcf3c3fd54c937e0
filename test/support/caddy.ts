import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../..')

/** Whether Caddy is installed on this machine (`apt install caddy`). */
export const hasCaddy = spawnSync('caddy', ['version']).status === 0

/**
 * Returns one of the project's Caddy files, as Caddy itself understands it. Throws Caddy's error if Caddy rejects the
 * file.
 */
export function adaptCaddyfile(file: string, environment: Readonly<Record<string, string>>): string {
  const env = { PATH: process.env.PATH, ...environment }
  const said = spawnSync('caddy', ['adapt', '--config', join(ROOT, file), '--adapter', 'caddyfile'], { env })
  if (said.status !== 0) throw new Error(String(said.stderr))
  return String(said.stdout)
}

/**
 * The real Caddy with one of the project's files. Caddy's own authority issues the certificates, and nothing of Caddy
 * remains afterwards.
 */
export class Caddy {
  readonly #child: ChildProcess
  readonly #folder: string
  #said = ''

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (this.#said += data))
  }

  /** Starts Caddy with one of the project's files; `ports` are two free ports, which replace 80 and 443. */
  static start(file: string, ports: readonly [number, number], environment: Readonly<Record<string, string>>): Caddy {
    const folder = mkdtempSync(join(tmpdir(), 'caddy-'))
    const options = `admin off\n\tskip_install_trust\n\tlocal_certs\n\thttp_port ${ports[0]}\n\thttps_port ${ports[1]}`
    const config = join(folder, 'Caddyfile')
    writeFileSync(config, `{\n\t${options}\n}\nimport ${join(ROOT, file)}\n`)
    const homes = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const env = { PATH: process.env.PATH ?? '', ...homes, ...environment }
    const child = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], { env, cwd: folder })
    return new Caddy(folder, child)
  }

  /** Resolves to the root certificate of Caddy's authority, as PEM, once that exists. Throws if Caddy ends first. */
  async authority(): Promise<string> {
    const file = join(this.#folder, 'caddy/pki/authorities/local/root.crt')
    for (;;) {
      // Caddy makes the file before it writes it.
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      if (text.includes('-----END CERTIFICATE-----')) return text
      if (this.#child.exitCode !== null) throw new Error(`Caddy ended: ${this.#said}`)
      await pause(50)
    }
  }

  /** Returns how often Caddy found that a process now accepts requests: once for each address that leads to it. */
  timesFound(place: string): number {
    return this.#said.split('\n').filter((line) => line.includes('"host is up"') && line.includes(`"${place}"`)).length
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = once(this.#child, 'exit')
      this.#child.kill('SIGTERM')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
