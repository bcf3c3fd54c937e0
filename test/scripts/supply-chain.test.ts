import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { productionPackages } from '../../scripts/licences.ts'
import { billOfMaterials } from '../../scripts/sbom.ts'

const root = join(import.meta.dirname, '..', '..')
const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly overrides: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly link?: boolean
}

const manifest = json('package.json') as Manifest
const packages = json('package-lock.json').packages as Readonly<Record<string, Locked>>
const installed = Object.entries(packages).filter(([path]) => path !== '')

describe('an installed package', () => {
  it('has the same exact version in package.json and package-lock.json', () => {
    const { dependencies, devDependencies, overrides } = manifest
    for (const [name, version] of Object.entries({ ...overrides, ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version)
    }
  })

  it('is checked by its SHA-512 hash and comes only from a registry', () => {
    for (const [path, { integrity, resolved = '', link }] of installed) {
      expect(integrity, path).toMatch(/^sha512-/)
      expect(resolved, path).not.toMatch(/^(?:git|file|http:)/)
      expect(link ?? false, path).toBe(false)
    }
  })

  it('runs an install script only if package.json allows it', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    expect(names.toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted())
  })
})

describe('the bill of materials', () => {
  const bill = billOfMaterials(root, productionPackages(root)) as {
    readonly components: readonly { readonly 'bom-ref': string; readonly hashes: readonly object[] }[]
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
  }

  it('is valid according to the schema of CycloneDX', () => {
    const library = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'))
    const schema = (name: string) => JSON.parse(readFileSync(join(library, 'res', 'schema', name), 'utf8')) as object
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
    // Their own ids name no snapshot, but the document refers to them as such.
    for (const part of ['spdx', 'jsf-0.82']) {
      const name = `${part}.SNAPSHOT.schema.json`
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}`)
    }
    const validate = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'))
    expect(validate(bill), ajv.errorsText(validate.errors)).toBe(true)
    expect(validate({ ...bill, components: [{ name: 'x' }] })).toBe(false)
  })

  it('names each production package once, with its hash and dependencies', () => {
    const refs = bill.components.map((component) => component['bom-ref'])
    expect(refs).toHaveLength(productionPackages(root).length)
    expect(new Set(refs).size).toBe(refs.length)
    expect(bill.components.every(({ hashes }) => hashes.length === 1)).toBe(true)
    const [self, ...others] = bill.dependencies
    expect(self?.dependsOn).toHaveLength(Object.keys(manifest.dependencies).length)
    for (const ref of others.flatMap(({ dependsOn }) => dependsOn)) expect(refs).toContain(ref)
    expect(others.map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted())
  })

  it('is the same each time it is generated', () => {
    expect(JSON.stringify(billOfMaterials(root, productionPackages(root)))).toBe(JSON.stringify(bill))
  })
})
