import type { Explained } from './explained.ts'

const AUDIT = 'src/assembly/audit'
const BACKUP = 'src/assembly/backup'

/** What survives the tests of audits and backups, and why that is well. */
export const OF_AUDIT: readonly Explained[] = [
  {
    file: `${AUDIT}/audit.ts`,
    code: 'addresses: await tx.address.findMany({ select: { chargeId: true, credited: true } }),',
    changes: ['{ select: { chargeId: true, credited: true } } => {}'],
    because: 'It only spares reading the other columns: the two are taken out below.',
  },
  {
    file: `${BACKUP}/restore.ts`,
    code: "const used = there.find(({ file, kind }) => kind === 'database' && isInUse(file))",
    changes: ["kind === 'database' => true"],
    because: 'A key is no database, and of what is none it is never said that somebody uses it.',
  },
  {
    file: `${BACKUP}/contents.ts`,
    code: "text = readFileSync(join(folder, MANIFEST), 'utf8')",
    changes: [`'utf8' => ""`],
    because: 'Bytes are read as JSON just as the text in them is.',
  },
  {
    file: `${BACKUP}/contents.ts`,
    code: "return url.replace(/^file:/, '')",
    changes: ['/^file:/ => /file:/'],
    because: 'Each of these URLs begins so, and the first place is what is replaced.',
  },
  {
    file: `${BACKUP}/prove-restored.ts`,
    code: "? { kind: 'unasked' }",
    changes: ["{ kind: 'unasked' } => {}", `'unasked' => ""`],
    because: 'It counts only that this is neither of the other two; nothing asks for it by its name.',
  },
  {
    file: `${BACKUP}/move-books.ts`,
    code: `\`The book of \${variable} does not hold, and nothing was moved: \${first?.what}. See "npm run audit".\`,`,
    changes: ['first?.what => first.what'],
    because: 'Of a book that cannot be read there is a finding, too; the question is for the compiler.',
  },
  {
    file: `${BACKUP}/move-books.ts`,
    code: 'if (proof === undefined || first !== undefined) {',
    changes: ['proof === undefined => false'],
    because: 'Of a book that cannot be read there is a finding, too; the question is for the compiler.',
  },
  {
    file: `${BACKUP}/move-books.ts`,
    code: 'const entries = there.proof?.entries ?? 0',
    changes: ['there.proof?.entries => there.proof.entries'],
    because: 'It was opened by this version just now, so it can be read; the question is for the compiler.',
  },
  {
    file: `${BACKUP}/put-in-place.ts`,
    code: '} catch {',
    changes: ['{ return false } => {}'],
    because: 'It is only asked whether it is true.',
  },
  ...[
    {
      file: 'contents.ts',
      code: `throw new Problem(\`\${folder} is no backup: it has no \${MANIFEST}. \${remedy}.\`, { cause: error })`,
    },
    {
      file: 'contents.ts',
      code: `throw new Problem(\`\${folder} is no whole backup: its \${MANIFEST} cannot be read. \${remedy}.\`, { cause: error })`,
    },
    { file: 'put-in-place.ts', code: 'throw new Problem(whatIsWhere(error, stuck), { cause: error })' },
  ].map(({ file, code }) => ({
    file: `${BACKUP}/${file}`,
    code,
    changes: ['{ cause: error } => {}'],
    because: 'Its words say what is wrong; the cause is for a debugger.',
  })),
]
