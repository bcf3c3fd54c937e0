import { expect, it } from 'vitest'
import { startThread } from '../../src/lib/thread.ts'
import type { ReadingJobs } from './reading-thread.ts'

it('a thread passes an error’s message, code and path on to its caller', async () => {
  const thread = startThread<ReadingJobs>(new URL('./reading-thread.ts', import.meta.url), undefined)
  const refusal = { code: 'ENOENT', path: '/there/is/no/such/file', message: expect.stringContaining('no such file') }
  await expect(thread.ask('read', '/there/is/no/such/file')).rejects.toMatchObject(refusal)
  await thread.close()
})
