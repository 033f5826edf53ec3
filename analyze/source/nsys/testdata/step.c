/* The peer of the benchmarks: C SQLite steps through the four large tables of
 * an export and fetches every value of the columns that perfdiff reads, in one
 * call each, as a careful reader in C would: each call takes SQLite's mutex, so
 * that asking for the type too would make the peer a quarter slower. */
#include <sqlite3.h>
#include <string.h>

static const char *statements[] = {
    "SELECT start, end, globalPid, deviceId, streamId, correlationId, demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL",
    "SELECT start, end, globalTid, correlationId, nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME",
    "SELECT start, end, globalTid, nameId FROM OSRT_API",
    "SELECT start, end, eventType, textId, domainId, globalTid, text FROM NVTX_EVENTS",
};

int main(int argc, char **argv) {
  sqlite3 *db;
  sqlite3_stmt *s;
  long long sum = 0;
  if (argc < 2 || sqlite3_open(argv[1], &db)) return 1;
  for (int q = 0; q < 4; q++) {
    if (sqlite3_prepare_v2(db, statements[q], -1, &s, 0)) return 1;
    int n = sqlite3_column_count(s), text[16] = {0};
    for (int i = 0; i < n; i++) text[i] = !strcmp(sqlite3_column_decltype(s, i), "TEXT");
    while (sqlite3_step(s) == SQLITE_ROW)
      for (int i = 0; i < n; i++)
        sum += text[i] ? sqlite3_column_bytes(s, i) : sqlite3_column_int64(s, i);
    sqlite3_finalize(s);
  }
  return sum == 42;
}
