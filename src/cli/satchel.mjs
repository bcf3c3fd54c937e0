#!/usr/bin/env node
// One command for everything (docs/run.md). Plain JavaScript: the Node that runs it may be too old for TypeScript,
// so it hands over to the Node that came with the installation.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './preflight.cjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const bundled = join(root, 'node_modules', '.bin', 'node')
const node = existsSync(bundled) ? bundled : process.execPath
// As the scripts of package.json do: with gigabytes free, V8 would take four times as much for new objects, for nothing.
const options = ['--max-semi-space-size=16', join(here, 'satchel.ts'), ...process.argv.slice(2)]
const child = spawn(node, options, { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(`Satchel could not be started: ${error.message}. Run npm ci in ${root}.`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code === null ? (signal === 'SIGINT' ? 130 : 1) : code))
