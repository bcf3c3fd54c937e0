# shellcheck shell=bash
# The steps of a gate, for `.ci/run`. Whoever sources this begins the gate; it ends with "N passed, N failed, N skipped".
passed=0 failed=0 skipped=0
# Who waits for the gate gives up after ninety minutes, and would not hear how far it came.
LAST_SECOND=5100
failures=()
# What each step said, and its exit code; `steps` has their names in order.
logs=$(mktemp -d)
finish() {
  code=$?
  while read -r name; do count "$name"; done <"$logs/steps"
  [ "$code" = 0 ] || failures+=("the gate itself ($code)")
  [ ${#failures[@]} = 0 ] || { printf '\nFailed:\n'; printf '  %s\n' "${failures[@]}"; }
  rm -rf "$logs"
  printf '\n%s s\n%s passed, %s failed, %s skipped\n' "$SECONDS" "$passed" "$failed" "$skipped"
  [ "$failed" = 0 ] && [ "$code" = 0 ] || exit 1
}
trap finish EXIT

# Vitest closes each suite with "Tests  1 failed | 2 passed | 3 skipped (6)".
tests() { grep -E '^ +Tests  ' "$logs/$1.said" | grep -oE "[0-9]+ $2" | awk '{ sum += $1 } END { print sum + 0 }'; }

# count NAME: adds up what a step has tried. Exit code 77 says that it was skipped. One without an exit code was ended from outside.
count() {
  local code worked broken left_out
  code=$(cat "$logs/$1.code" || echo unknown)
  worked=$(tests "$1" passed) broken=$(tests "$1" failed) left_out=$(tests "$1" skipped)
  passed=$((passed + worked)) failed=$((failed + broken)) skipped=$((skipped + left_out))
  if [ "$code" = 77 ]; then
    skipped=$((skipped + 1))
  elif [ "$code" != 0 ]; then
    failures+=("$1 (exit code $code)")
    [ "$broken" != 0 ] || failed=$((failed + 1))
  elif [ $((worked + broken + left_out)) = 0 ]; then
    passed=$((passed + 1))
  fi
}

# step NAME LIMIT COMMAND…: runs it for LIMIT seconds at most, which is many times what it takes. Its output goes to a file: a child that
# it leaves behind would keep a pipe open, and the gate would wait for that child. It ends the command's process group; a child in a
# session of its own lives on, and nobody waits for it.
step() {
  local name=$1 limit=$2 began=$SECONDS left=$((LAST_SECOND - SECONDS)) program code
  shift 2
  echo "$name" >>"$logs/steps"
  printf '\n── %s (%s s)\n' "$name" "$SECONDS"
  [ "$left" -ge "$limit" ] || limit=$((left > 1 ? left : 1))
  : >"$logs/$name.said"
  timeout --kill-after=30 "$limit" "$@" >>"$logs/$name.said" 2>&1 </dev/null &
  program=$!
  tail --pid="$program" --sleep-interval=0.2 --lines=+1 --follow "$logs/$name.said"
  wait "$program"
  code=$?
  # `timeout` leads a process group of its own.
  kill -KILL -- "-$program" 2>/dev/null
  [ "$code" != 124 ] && [ "$code" != 137 ] || echo "It took longer than $limit s, and was ended."
  echo "── $name took $((SECONDS - began)) s"
  echo "$code" >"$logs/$name.code"
  return "$code"
}

skip() {
  printf '\n── %s: skipped: %s\n' "$1" "$2"
  skipped=$((skipped + 1))
}

# beside NAME LIMIT COMMAND…: a step beside one other, since most wait much. What it says is shown when it has ended.
beside() {
  while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
  { step "$@" >"$logs/$1.shown"; cat "$logs/$1.shown"; } &
}
