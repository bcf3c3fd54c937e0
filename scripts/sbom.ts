import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of a production installation. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The package's licence, as an SPDX expression. */
  readonly licence: string
}

interface Locked {
  readonly dev?: boolean
  readonly version?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Packages = Readonly<Record<string, Locked>>

/**
 * Returns a production installation as a CycloneDX 1.6 bill of materials: each package with its version, its licence,
 * the SHA-512 that npm checks, and its dependencies. The bill contains no time or place, so the same package-lock.json
 * always results in the same file.
 */
export function billOfMaterials(root: string, installed: readonly InstalledPackage[]): object {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license: string
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Packages
  }
  const paths = Object.keys(packages).filter((path) => path !== '' && !packages[path]?.dev)
  const hashes = new Map(paths.map((path) => [refOf(packages, path), packages[path]?.integrity]))
  const self = purl(name, version)
  const needs = new Map<string, Set<string>>([[self, dependsOn(packages, '')]])
  for (const path of paths) {
    const ref = refOf(packages, path)
    needs.set(ref, new Set([...(needs.get(ref) ?? []), ...dependsOn(packages, path)]))
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': self, name, version, purl: self, licenses: licences(license) },
    },
    components: installed.map((each) => {
      const ref = purl(each.name, each.version)
      return {
        type: 'library',
        'bom-ref': ref,
        ...nameOf(each.name),
        version: each.version,
        purl: ref,
        licenses: licences(each.licence),
        hashes: hashesOf(hashes.get(ref)),
      }
    }),
    dependencies: [...needs].map(([ref, others]) => ({ ref, dependsOn: [...others].toSorted() })),
  }
}

function dependsOn(packages: Packages, path: string): Set<string> {
  const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {}
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies })
  const found = wanted.map((name) => resolve(packages, path, name)).filter((place) => place !== undefined)
  return new Set(found.map((place) => refOf(packages, place)))
}

/**
 * Returns the place where Node would find a package that is required from `from`, or undefined if it is not installed.
 */
function resolve(packages: Packages, from: string, name: string): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
    if (path in packages) return packages[path]?.dev ? undefined : path
    if (place === '') return undefined
  }
}

function refOf(packages: Packages, path: string): string {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return purl(name, packages[path]?.version ?? '')
}

function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function nameOf(full: string): { readonly group?: string; readonly name: string } {
  const [group, name] = full.split('/')
  return group !== undefined && name !== undefined ? { group, name } : { name: full }
}

function licences(expression: string): object[] {
  return /[ ()]/.test(expression) ? [{ expression }] : [{ license: { id: expression } }]
}

/** Converts npm's hashes (`sha512-` and base64) to hex. */
function hashesOf(integrity: string | undefined): object[] {
  const [algorithm, digest] = integrity?.split('-') ?? []
  if (algorithm !== 'sha512' || digest === undefined) return []
  return [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }]
}
