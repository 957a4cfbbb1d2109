CREATE TABLE "team_storage" (
	"team_id" text collate "C" PRIMARY KEY NOT NULL,
	"file_bytes" bigint DEFAULT 0 NOT NULL,
	"recording_bytes" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_talk" (
	"team_id" text collate "C" NOT NULL,
	"month" timestamp (3) with time zone NOT NULL,
	"seconds" double precision DEFAULT 0 NOT NULL,
	CONSTRAINT "team_talk_team_id_month_pk" PRIMARY KEY("team_id","month")
);
--> statement-breakpoint
ALTER TABLE "team_storage" ADD CONSTRAINT "team_storage_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_talk" ADD CONSTRAINT "team_talk_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- Nothing is written between the sums and the triggers.
LOCK TABLE "calls", "files" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO "team_storage" ("team_id", "file_bytes", "recording_bytes")
SELECT "id",
	(SELECT coalesce(sum("size_bytes"), 0) FROM "files" WHERE "team_id" = "teams"."id"),
	(SELECT coalesce(sum(("recording" ->> 'bytes')::bigint), 0) FROM "calls" WHERE "team_id" = "teams"."id" AND "recording" IS NOT NULL)
FROM "teams";--> statement-breakpoint
INSERT INTO "team_talk" ("team_id", "month", "seconds")
SELECT "team_id", date_trunc('month', "start_at", 'UTC'), sum(greatest(extract(epoch from "end_at" - "answered_at"), 0))
FROM "calls" WHERE "end_at" IS NOT NULL AND "answered_at" IS NOT NULL GROUP BY 1, 2;--> statement-breakpoint
CREATE FUNCTION "count_file"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	delta bigint := coalesce(NEW.size_bytes, 0) - coalesce(OLD.size_bytes, 0);
BEGIN
	-- A team that is deleted takes its counters with it: they are never made anew here.
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "team_storage" ("team_id", "file_bytes") VALUES (NEW.team_id, delta)
		ON CONFLICT ("team_id") DO UPDATE SET "file_bytes" = "team_storage"."file_bytes" + delta;
	ELSE
		UPDATE "team_storage" SET "file_bytes" = "file_bytes" + delta WHERE "team_id" = OLD.team_id;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "files_counted" AFTER INSERT OR DELETE OR UPDATE OF "size_bytes" ON "files"
FOR EACH ROW EXECUTE FUNCTION "count_file"();--> statement-breakpoint
CREATE FUNCTION "count_call"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	-- Of a row that there is not, each field is null, and so is the difference of what has no end: 0.
	bytes bigint := coalesce((NEW.recording ->> 'bytes')::bigint, 0) - coalesce((OLD.recording ->> 'bytes')::bigint, 0);
	talked double precision := greatest(extract(epoch from NEW.end_at - NEW.answered_at), 0)
		- greatest(extract(epoch from OLD.end_at - OLD.answered_at), 0);
	began timestamptz := date_trunc('month', coalesce(NEW.start_at, OLD.start_at), 'UTC');
BEGIN
	IF TG_OP = 'DELETE' THEN
		UPDATE "team_storage" SET "recording_bytes" = "recording_bytes" + bytes
		WHERE "team_id" = OLD.team_id AND bytes <> 0;
		UPDATE "team_talk" SET "seconds" = "seconds" + talked
		WHERE "team_id" = OLD.team_id AND "month" = began AND talked <> 0;
		RETURN NULL;
	END IF;
	IF bytes <> 0 THEN
		INSERT INTO "team_storage" ("team_id", "recording_bytes") VALUES (NEW.team_id, bytes)
		ON CONFLICT ("team_id") DO UPDATE SET "recording_bytes" = "team_storage"."recording_bytes" + bytes;
	END IF;
	IF talked <> 0 THEN
		INSERT INTO "team_talk" ("team_id", "month", "seconds") VALUES (NEW.team_id, began, talked)
		ON CONFLICT ("team_id", "month") DO UPDATE SET "seconds" = "team_talk"."seconds" + talked;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "calls_counted_new" AFTER INSERT ON "calls"
FOR EACH ROW WHEN (NEW.recording IS NOT NULL OR NEW.end_at IS NOT NULL) EXECUTE FUNCTION "count_call"();--> statement-breakpoint
CREATE TRIGGER "calls_counted_gone" AFTER DELETE ON "calls"
FOR EACH ROW WHEN (OLD.recording IS NOT NULL OR OLD.end_at IS NOT NULL) EXECUTE FUNCTION "count_call"();--> statement-breakpoint
CREATE TRIGGER "calls_counted" AFTER UPDATE OF "recording", "answered_at", "end_at" ON "calls"
FOR EACH ROW WHEN (
	OLD.recording IS DISTINCT FROM NEW.recording
	OR OLD.answered_at IS DISTINCT FROM NEW.answered_at
	OR OLD.end_at IS DISTINCT FROM NEW.end_at
) EXECUTE FUNCTION "count_call"();
