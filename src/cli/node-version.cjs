// In old JavaScript: a Node of any age must be able to read that it is too old, and fails at options and words that it does not know.
// Where Satchel is installed, npm finds the Node that came with it, whatever else is on the machine.
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(
    'Node %s is too old for Satchel: install Node 24 from https://nodejs.org, then run npm ci in %s.',
    process.versions.node,
    __dirname.replace(/[\\/]src[\\/]cli$/, ''),
  )
  process.exit(1)
}
