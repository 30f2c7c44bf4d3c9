# What the tests of replicas have in common: a folder, processes that end with the test, nginx, and two demo-servers. A test
# sets `programs`, where demo-server was built, and the array `serve` with its further arguments; then it reads this file.

folder=$(mktemp -d)
PATH=$PATH:/usr/sbin:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')
declare -A pids
declare -A ports=([1]=0 [2]=0)

finish() {
	status=$?
	trap - EXIT
	{
		for name in "${!pids[@]}"; do kill -KILL "${pids[$name]}" || true; done
		test -z "${nginx-}" || kill -QUIT "$nginx" || true
		wait || true
	} 2>/dev/null
	if test $status != 0; then
		for log in "$folder"/*.log; do
			echo "--- ${log##*/}"
			tail -n 20 "$log"
		done
	fi
	rm -rf "$folder"
	exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

# Ends the test, as one that was left out, unless there are all of some programs.
need() {
	local tool
	for tool in "$@"; do
		command -v "$tool" >/dev/null || {
			echo "LEFT OUT: ${0#"$root"/}: install Debian's nginx-light, redis-server and postgresql"
			exit 0
		}
	done
}

# Waits until a command succeeds, for half a minute at most, or the seconds of BACKLOT_PATIENCE.
await() {
	local end=$((SECONDS + ${BACKLOT_PATIENCE:-30}))
	until "$@" >/dev/null 2>&1; do
		test $SECONDS -lt $end || { echo "FAILED: waited in vain: $*"; exit 1; }
		sleep 0.02
	done
}

# Waits until a process of this test has ended; the status is the process's.
ended() {
	has_ended() { ! kill -0 "$1"; }
	await has_ended "$1"
	wait "$1"
}

# A port that nobody seems to have, and that the system doesn't give to others: its own begin at 32768.
free_port() {
	local port
	while port=$((20000 + RANDOM % 12000)); do
		(: <>/dev/tcp/127.0.0.1/$port) 2>/dev/null || { echo $port; return; }
	done
}

# Makes a database of PostgreSQL, whose programs refuse to run as root.
as_owner=()
test "$(id -u)" != 0 || as_owner=(setpriv --reuid postgres --regid postgres --clear-groups)
database_url="postgres://backlot@/postgres?host=$folder/database"
make_database() {
	mkdir "$folder/database"
	chmod 711 "$folder"
	test "$(id -u)" != 0 || chown postgres: "$folder/database"
	(cd "$folder/database" && "${as_owner[@]}" timeout -k 5 120 initdb -D data -U backlot --auth trust --no-sync) >"$folder/initdb.log"
}

is_ready() { pg_isready -q -h "$folder/database" -d postgres -U backlot; }

# Starts PostgreSQL, on a socket in the folder.
start_database() {
	(
		cd "$folder/database"
		exec "${as_owner[@]}" postgres -D data -c listen_addresses= -c "unix_socket_directories=$folder/database"
	) >>"$folder/postgres.log" 2>&1 3>&- &
	pids[database]=$!
	await is_ready
}

# Starts a replica, each time at the same address, which nobody is given while the replica is away.
start() {
	test "${ports[$1]}" != 0 || ports[$1]=$(free_port)
	: >"$folder/replica$1.out"
	"$programs/demo-server" serve --port "${ports[$1]}" --log-level warning "${serve[@]}" \
		>"$folder/replica$1.out" 2>>"$folder/replica$1.log" 3>&- &
	pids[$1]=$!
	await grep -q "^listening on" "$folder/replica$1.out"
}

# nginx' workers, of which there are others after it has read its file again.
workers() { ps -o pid= --ppid "$nginx" | sort; }
are_gone() { test -z "$(comm -12 <(echo "$1") <(workers))"; }

# Writes the addresses; the replica named is taken out.
configure() {
	local n
	for n in 1 2; do
		echo "server 127.0.0.1:${ports[$n]}${address_options-}$(test "${1-}" != $n || echo " down");"
	done >"$folder/replicas.conf"
}

reload() {
	local before
	before=$(workers)
	configure "${1-}"
	kill -HUP "$nginx"
	await are_gone "$before"
}

# Starts nginx in front of the replicas, with the file that Examples/Replicas has.
start_nginx() {
	local user
	configure
	port=$(free_port)
	sed -e "s|/tmp/|$folder/|; s|listen 8080|listen 127.0.0.1:$port|; s|/dev/stdout|$folder/access|" \
		"$root/Examples/Replicas/nginx.conf" >"$folder/nginx.conf"
	user=$(test "$(id -u)" != 0 || echo "user root;")
	nginx -p "$folder" -c "$folder/nginx.conf" -g "daemon off; $user" >"$folder/nginx.log" 2>&1 &
	nginx=$!
	await is_open
}
is_open() { (: <>/dev/tcp/127.0.0.1/"$port"); }

# Starts replica-flow, which goes on until file descriptor 3 is closed.
start_flow() {
	mkfifo "$folder/people"
	: >"$folder/flow.log"
	"$programs/replica-flow" "http://127.0.0.1:$port/" "$@" <"$folder/people" >>"$folder/flow.log" 2>&1 &
	pids[flow]=$!
	exec 3>"$folder/people"
}

end_flow() {
	exec 3>&-
	# Readers may look for the last story for a minute.
	BACKLOT_PATIENCE=${BACKLOT_PATIENCE:-120} ended "${pids[flow]}" || { echo "FAILED: $(tail -n 1 "$folder/flow.log")"; exit 1; }
	unset "pids[flow]"
}

# Waits for some more flows.
people_go_on() {
	local seen
	seen=$(wc -l <"$folder/flow.log")
	is_further() { ! kill -0 "${pids[flow]}" || test "$(wc -l <"$folder/flow.log")" -ge $((seen + 6)); }
	await is_further
}
