import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandsPage } from '../../scripts/docs/commands-page.ts'
import { publicApiPage } from '../../scripts/docs/public-api-page.ts'
import { inviteLink } from '../../src/bot/bot.ts'
import { parseConfig } from '../../src/config/config.ts'
import { BACKENDS, type Variable } from '../../src/payments-service/engine/node/backend-list.ts'
import { RECIPE_NAMES } from '../../src/tipping/rules/recipes.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })]

/** Returns the anchors that GitHub gives to a page's headings. */
function anchorsOf(page: string): string[] {
  const headings = page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

describe('the documentation', () => {
  it('shows each recipe of a rule in a small picture', () => {
    const page = read('docs/REWARDS.md')
    for (const recipe of RECIPE_NAMES) {
      const path = `pictures/recipes/${recipe}.png`
      expect(page).toMatch(new RegExp(`^\\| \\*\\*.*<img src="${path}" width="\\d+" alt="[^"]{20,}"> \\|$`, 'm'))
      const png = readFileSync(join(root, 'docs', path))
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      expect(png.length).toBeLessThan(40_000)
    }
  })

  it('lists the registered commands (npm run docs writes it)', () => {
    expect(read('docs/COMMANDS.md')).toBe(commandsPage())
  })

  it('describes the public API as served (npm run docs writes it)', () => {
    expect(read('docs/PUBLIC_API.md')).toBe(publicApiPage())
  })

  it.each(pages)('names only npm scripts that exist: %s', (page) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...read(page).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map((match) => match[1] ?? '')
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  it.each(pages)('links only to files that exist: %s', (page) => {
    const named = /(?:\]\(|src(?:set)?=")(?!https?:|#)([^)"#\s]+)/g
    const links = [...read(page).matchAll(named)].map((match) => match[1] ?? '')
    expect(links.filter((link) => !existsSync(join(root, page, '..', link)))).toEqual([])
  })

  it.each(pages)('links only to headings that exist: %s', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
    const broken = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? page : posix.join(posix.dirname(page), path)
      return target.endsWith('.md') && !anchorsOf(read(target)).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  it('names no folder of a particular machine', () => {
    const files = [
      ...pages,
      // The folders of RaspiBlitz are the same on each.
      ...globSync('deploy/**/*.*', { cwd: root, exclude: ['deploy/raspiblitz/**'] }).filter(
        (path) => !statSync(join(root, path)).isDirectory(),
      ),
    ]
    const named = [...files, 'compose.yaml', 'compose.regtest.yaml', '.env.example'].flatMap((file) =>
      [...read(file).matchAll(/\/(?:root|home|Users)\/\S*/g)].map(([path]) => `${file}: ${path}`),
    )
    expect(named).toEqual([])
  })

  it.each(pages)('has lines of at most 150 characters outside tables and code: %s', (page) => {
    const text = read(page).replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    const long = text.split('\n').filter((line) => line.length > 150 && !/^ *[|<]/.test(line))
    expect(long).toEqual([])
  })

  it.each(pages)('has no blank line inside a table: %s', (page) => {
    // A second table after a blank line begins with its own heading.
    const gaps = [...read(page).matchAll(/^\|.*\n\n(\|.*)\n(?!\|[-:| ]+\|$)/gm)].map(([, row]) => row)
    expect(gaps).toEqual([])
  })

  it('invites the bot with the link that setup prints', () => {
    expect(read('docs/install.md')).toContain(inviteLink('YOUR_APPLICATION_ID'))
  })

  it('points a proxy to the ports that the programs listen on', () => {
    const { service, callbacks } = parseConfig({})
    const ports = [...(read('README.md') + read('docs/install.md')).matchAll(/reverse_proxy 127\.0\.0\.1:(\d+)/g)].map(
      ([, port]) => Number(port),
    )
    expect([...new Set(ports)]).toEqual([service.port, callbacks.port])
  })

  it('links from the README to every page', () => {
    const found = new Set(['README.md'])
    for (const page of found) {
      for (const [, link = ''] of read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+\.md)/g)) {
        const target = posix.join(posix.dirname(page), link)
        if (existsSync(join(root, target))) found.add(target)
      }
    }
    expect(pages.filter((page) => !found.has(page))).toEqual([])
  })

  it('shows the two main commands, each on its own line', () => {
    const lines = read('README.md').split('\n')
    expect(lines).toContain('npm ci && npm start')
    expect(lines).toContain('npm ci && npm test')
  })

  it('explains exactly the environment variables that the programs read', () => {
    const source = read('src/config/config.ts') + read('src/config/lightning.ts')
    const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
    const ofNodes = BACKENDS.flatMap(({ variables }) => Object.values<Variable>(variables))
    const known = new Set<string>(namesIn(source, /(?:read\.\w+\(\s*|\(read, )'([A-Z_]+)'/g))
    for (const { name } of ofNodes) known.add(name)
    for (const name of namesIn(source, /process\.env\.([A-Z_]+)/g)) known.add(name)
    // A secret can stand in a file as well.
    const secrets = namesIn(source, /read\.\w*[sS]ecrets?\(\s*'([A-Z_]+)'/g)
    secrets.push(...ofNodes.filter(({ form }) => form === 'secret').map(({ name }) => name))
    const inFiles = new Set(secrets.map((name) => `${name}_FILE`))
    const explained = new Set<string>(namesIn(read('.env.example'), /^#? ?([A-Z_]{4,})=/gm))
    expect([...known].filter((name) => !explained.has(name) && !explained.has(`${name}_FILE`))).toEqual([])
    expect([...explained].filter((name) => !known.has(name) && !inFiles.has(name))).toEqual([])
  })
})
