/**
 * `node scripts/write-packages.ts IMAGE@sha256:DIGEST ADDRESS`: writes the packages of home servers and hosts to
 * `reports/packages`, for the published image (with the version in its name) and the address of its sources. The
 * packages in the project have addresses at example.org instead.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const FOLDERS = ['umbrel', 'start9', 'nix', 'raspiblitz']
const EXAMPLE_DIGEST = /@sha256:0{64}/g

/** Writes the packages to a folder. Throws if an argument from the command line is wrong. */
export function writePackages(image: string, address: string, target: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const [, name, digest] =
    new RegExp(`^([^@\\s]+:${version.replaceAll('.', '\\.')})(@sha256:[0-9a-f]{64})$`).exec(image) ?? []
  if (name === undefined || digest === undefined) {
    throw new Error(
      `The image must be NAME:${version}@sha256:…, the version being that of package.json, not "${image}".`,
    )
  }
  if (!/^https:\/\/[^\s/]+\/\S*[^\s/]$/.test(address)) {
    throw new Error(
      `The address of the sources must begin with https:// and have no slash at its end, not "${address}".`,
    )
  }
  rmSync(target, { recursive: true, force: true })
  for (const folder of FOLDERS) {
    const isSource = (path: string) => !/[\\/](node_modules|javascript)$/.test(path)
    cpSync(join(root, 'deploy', folder), join(target, folder), { recursive: true, filter: isSource })
  }
  for (const path of globSync('**/*.*', { cwd: target, withFileTypes: true })) {
    if (!path.isFile()) continue
    const file = join(path.parentPath, path.name)
    const text = readFileSync(file, 'utf8')
    const filled = text
      .replaceAll(`registry.example.org/satchel:${version}`, name)
      .replaceAll(EXAMPLE_DIGEST, digest)
      .replaceAll('https://example.org/satchel', address)
    writeFileSync(file, filled)
  }
}

if (import.meta.main) {
  const [image = '', address = ''] = process.argv.slice(2)
  writePackages(image, address, join(root, 'reports/packages'))
  console.log('reports/packages')
}
