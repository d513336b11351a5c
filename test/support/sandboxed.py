"""Runs a command in what of a unit's sandbox can be had without systemd. As root:

unshare --mount python3 sandboxed.py UNIT PACKAGE NODE TOKEN COMMAND...

The root is read-only, /tmp is empty, /proc has only processes. PACKAGE is where ExecStart looks for it, the file TOKEN
is the credential, and NODE is the program `node`. The command runs as another user without capabilities, with the
unit's limits and its filters of system calls and of address families.
"""
import ctypes
import errno
import os
import resource
import subprocess
import sys

unit, package, node, token, *command = sys.argv[1:]
user = 61184
with open(unit) as file:
    settings = [line.strip().split('=', 1) for line in file if '=' in line and not line.startswith('#')]


def values(name):
    return [value for key, value in settings if key == name]


def names_in(group):
    """The system calls of a group such as @system-service."""
    if not group.startswith('@'):
        return {group}
    text = subprocess.run(['systemd-analyze', 'syscall-filter', group], check=True, capture_output=True, text=True).stdout
    lines = [line.strip() for line in text.splitlines()[1:]]
    return set().union(*(names_in(line) for line in lines if line and not line.startswith('#')))


# Of the last of them, the first list says what is allowed; the others add to it, or with ~ take away.
allowed = names_in('@default')
for value in values('SystemCallFilter'):
    listed = set().union(*(names_in(group) for group in value.lstrip('~').split()))
    allowed = allowed - listed if value.startswith('~') else allowed | listed
families = {{'AF_UNIX': 1, 'AF_INET': 2, 'AF_INET6': 10}[name] for name in values('RestrictAddressFamilies')[0].split()}


def mount(*args):
    subprocess.run(['mount', *args], check=True)


for path in ['/opt', '/run']:
    mount('-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', path)
where = '/opt/payment-signature/node_modules/payment-signature-backend'
os.makedirs(where)
mount('--bind', package, where)
os.mkdir('/opt/payment-signature/node_modules/.bin')
os.symlink('../payment-signature-backend/dist/tools/command-line/payment-signature.js',
           '/opt/payment-signature/node_modules/.bin/payment-signature')
os.mkdir('/opt/bin')
open('/opt/bin/node', 'w').close()
mount('--bind', node, '/opt/bin/node')
credentials = f'/run/credentials/{os.path.basename(unit)}'
os.makedirs(credentials)
with open(token) as source, open(f'{credentials}/merchant-token', 'w') as copy:
    copy.write(source.read())
os.chown(f'{credentials}/merchant-token', user, user)
os.chmod(f'{credentials}/merchant-token', 0o400)
mount('-t', 'tmpfs', 'tmpfs', '/tmp')
mount('-t', 'proc', '-o', 'subset=pid,hidepid=invisible', 'proc', '/proc')
mount('-o', 'remount,bind,ro', '/')
for path in ['/opt', '/run']:
    mount('-o', 'remount,ro', path)

for limit, name in [(resource.RLIMIT_CORE, 'LimitCORE'), (resource.RLIMIT_NOFILE, 'LimitNOFILE')]:
    most, hard = int(values(name)[0]), resource.getrlimit(limit)[1]
    if hard != resource.RLIM_INFINITY:  # which root cannot raise in a container
        most = min(most, hard)
    resource.setrlimit(limit, (most, most))


class Comparison(ctypes.Structure):
    _fields_ = [('argument', ctypes.c_uint), ('operator', ctypes.c_int), ('value', ctypes.c_uint64), ('other', ctypes.c_uint64)]


library = ctypes.CDLL('libseccomp.so.2', use_errno=True)
library.seccomp_init.restype = ctypes.c_void_p
allow, equal = 0x7fff0000, 4


def refuse(number):
    return 0x00050000 | number


def rule(action, name, *comparisons):
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number >= 0:  # this machine's processor has it
        array = (Comparison * len(comparisons))(*comparisons)
        if library.seccomp_rule_add_array(ctypes.c_void_p(context), action, number, len(comparisons), array) != 0:
            sys.exit(f'no rule can be made for {name}')


context = library.seccomp_init(refuse(errno.EPERM))
for name in sorted(allowed - {'socket'}):
    rule(allow, name)
for family in families:
    rule(allow, 'socket', Comparison(0, equal, family, 0))

os.setgroups([])
libc = ctypes.CDLL(None, use_errno=True)
for capability in range(64):
    libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
os.setresgid(user, user, user)
os.setresuid(user, user, user)
os.umask(int(values('UMask')[0], 8))
if libc.prctl(38, 1, 0, 0, 0) != 0:  # PR_SET_NO_NEW_PRIVS
    sys.exit('no_new_privs cannot be set')
if library.seccomp_load(ctypes.c_void_p(context)) != 0:
    sys.exit('the filter cannot be loaded')
os.chdir('/')
os.execv(command[0], command)
