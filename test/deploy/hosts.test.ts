import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseConfig } from '../../src/config/config.ts'
import { read, root, unknownSettings, version, wordsOf } from './files.ts'

// None of these systems runs here. Each file is compared with the settings, the Dockerfile and the other files.
const { callbacks, service } = parseConfig({})
const [data] = wordsOf('VOLUME')

describe('the package for StartOS', () => {
  // StartOS's kit has checked its types, and a release's workflow does so again: the kit is not part of the project.
  const main = read('deploy/start9/startos/main.ts')
  const manifest = read('deploy/start9/startos/manifest/index.ts')

  it('uses the image’s command, user and folders, and only settings that Satchel knows', () => {
    const names = [...main.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+): ['`s]/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(6)
    expect(unknownSettings(names.filter((name) => !['SERVICE_PORT', 'WEB_PORT'].includes(name)))).toEqual([])
    const command = JSON.parse(/^CMD (\[.*\])/m.exec(read('Dockerfile'))?.[1] ?? '')
    expect(main).toContain(`command: ['${command.join("', '")}'],`)
    expect(main).toContain(`const DATA = '${data}'`)
    expect(main).toContain(`cwd: '${wordsOf('WORKDIR').at(-1)}'`)
    expect(main).toContain(`user: '${wordsOf('USER')[0]}'`)
  })

  it('declares Satchel’s ports, the current version and both architectures', () => {
    const ports = read('deploy/start9/startos/ports.ts')
    expect(ports).toContain(`WEB_PORT = ${callbacks.port}`)
    expect(ports).toContain(`SERVICE_PORT = ${service.port}`)
    expect(manifest).toContain(`dockerTag: 'registry.example.org/satchel:${version}'`)
    expect(manifest).toContain("arch: ['x86_64', 'aarch64']")
    expect(read('deploy/start9/startos/versions/index.ts')).toContain(`version: '${version}:0'`)
  })

  it('lets the owner choose any of its optional dependencies as the node, or no node', () => {
    const nodes = /NODES = \[(.*)\] as const/.exec(read('deploy/start9/startos/fileModels/store.json.ts'))?.[1]
    const dependencies = [...manifest.matchAll(/^ {4}(\w+): \{\n {6}description/gm)].map(([, name]) => `'${name}'`)
    expect(nodes).toBe(["'none'", ...dependencies].join(', '))
  })
})

describe('the files for hosts that run the bot alone', () => {
  const fly = read('deploy/hosts/fly.toml')
  const text = z.string().min(1)
  const render = z
    .strictObject({
      services: z.tuple([
        z.strictObject({
          type: z.literal('web'),
          name: text,
          runtime: z.literal('docker'),
          dockerfilePath: text,
          plan: z.enum(['starter', 'standard']),
          numInstances: z.literal(1),
          disk: z.strictObject({ name: text, mountPath: text, sizeGB: z.int() }),
          healthCheckPath: text,
          autoDeploy: z.literal(false),
          envVars: z.array(
            z.union([
              z.strictObject({ key: text, value: z.string() }),
              z.strictObject({ key: text, generateValue: z.literal(true) }),
            ]),
          ),
        }),
      ]),
    })
    .parse(parse(read('deploy/hosts/render.yaml'))).services[0]
  const flySettings = Object.fromEntries(
    [...(/\[env\]\n([\s\S]*?)\n\[/.exec(fly)?.[1] ?? '').matchAll(/^ +(\w+) = "(.*)"$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )

  it.each([
    ['Fly', flySettings],
    [
      'Render',
      Object.fromEntries(render.envVars.map((each) => [each.key, 'value' in each ? each.value : 'a-code-of-render'])),
    ],
  ])('turn custody off, trust the proxy and use only known settings: %s', (_, given) => {
    const { PORT, ...settings } = given as Record<string, string>
    expect(unknownSettings(Object.keys(settings))).toEqual([])
    expect(parseConfig(settings)).toMatchObject({ custody: 'none', service: { trustProxy: true } })
    // Render finds the port through PORT.
    if (PORT !== undefined) expect(Number(PORT)).toBe(callbacks.port)
  })

  it('keep the image’s data on a disk and agree on the path of the health check', () => {
    expect(fly).toContain(`destination = "${data}"`)
    expect(render.disk.mountPath).toBe(data)
    expect(fly).toContain(`internal_port = ${callbacks.port}`)
    expect(fly).toContain('auto_stop_machines = "off"')
    expect(fly).toContain(`path = "${render.healthCheckPath}"`)
    expect(existsSync(join(root, render.dockerfilePath))).toBe(true)
  })

  it('include a file for Fly whose lines are all valid TOML', () => {
    const odd = fly
      .split('\n')
      .filter((line) => !/^\s*(#.*|\[\[?[\w.]+\]\]?|\w+ = ("[^"\\]*"|\d+|true|false))?$/.test(line))
    expect(odd).toEqual([])
  })
})

describe('the module for NixOS', () => {
  const flake = read('deploy/nix/flake.nix')

  it('has balanced brackets, opens both ports on 127.0.0.1 and mounts the data folder', () => {
    const bare = flake.replace(/#.*$/gm, '').replace(/"(?:[^"\\]|\\.)*"/g, '""')
    const open: string[] = []
    for (const sign of bare.match(/[[\](){}]/g) ?? []) {
      if ('[({'.includes(sign)) open.push(sign)
      else expect(open.pop()).toBe({ ']': '[', ')': '(', '}': '{' }[sign])
    }
    expect(open).toEqual([])
    for (const port of [callbacks.port, service.port]) expect(flake).toContain(`"127.0.0.1:${port}:${port}"`)
    expect(flake).toContain(`}:${data}"`)
    expect(flake).toContain(`registry.example.org/satchel:${version}`)
  })

  it('names only settings that Satchel has', () => {
    const named = [...(/example = \{(.*)\}/.exec(flake)?.[1] ?? '').matchAll(/(\w+) =/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(unknownSettings(named)).toEqual([])
  })
})

describe('the script for RaspiBlitz', () => {
  const file = 'deploy/raspiblitz/bonus.satchel.sh'
  const script = read(file)
  const part = (name: string) => new RegExp(`<<${name}\\n([\\s\\S]*?)\\n${name}\\n`).exec(script)?.[1] ?? ''

  it('is valid bash and prints its usage when called without arguments', () => {
    execFileSync('bash', ['-n', join(root, file)])
    const said = (() => {
      try {
        return execFileSync('bash', [join(root, file)], { encoding: 'utf8' })
      } catch (error) {
        return String((error as { stdout: string }).stdout)
      }
    })()
    for (const word of ['on', 'off', 'status', 'menu']) expect(said).toContain(`bonus.satchel.sh ${word} `)
  })

  it('gives Satchel only known settings and a data folder on the hard disk', () => {
    const settings = [...part('SETTINGS').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '']) => name)
    expect(settings).toContain('SETUP_CODE')
    expect(unknownSettings(settings.filter((name) => name !== 'NODE_ENV'))).toEqual([])
    expect(script).toContain('DATA=/mnt/hdd/app-data/satchel\n')
    expect(script).toContain(`PORT_CLEAR=${callbacks.port}\n`)
    expect(part('UNIT')).toContain('ReadWritePaths=$' + '{DATA}')
  })

  it('writes a unit based on satchel.service and verifies the tag of this version', () => {
    const unit = read('deploy/satchel.service')
    for (const name of ['KillSignal', 'TimeoutStopSec', 'UMask', 'ProtectSystem', 'Restart']) {
      const line = new RegExp(`^${name}=.*$`, 'm').exec(unit)?.[0] ?? name
      expect(part('UNIT')).toContain(line)
    }
    expect(script).toContain(`VERSION=v${version}\n`)
    expect(script).toContain('verify-tag')
  })

  it('never deletes the books', () => {
    const deleting = script.split('\n').filter((line) => /\brm\b|userdel/.test(line))
    expect(deleting.filter((line) => /DATA/.test(line))).toEqual([])
    expect(deleting.length).toBeGreaterThan(1)
  })
})
