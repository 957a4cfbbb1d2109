CREATE TABLE "deleted_calls" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"cause" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	"recording_path" text,
	"epoch" integer NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"files_removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "number_holds" (
	"team_id" text collate "C" NOT NULL,
	"number" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "number_holds_team_id_number_pk" PRIMARY KEY("team_id","number")
);
--> statement-breakpoint
CREATE TABLE "team_keys" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "held_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "hold_reason" text;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "most_retention_days" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "retention_days" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "deleted_calls" ADD CONSTRAINT "deleted_calls_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_holds" ADD CONSTRAINT "number_holds_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_keys" ADD CONSTRAINT "team_keys_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_calls_team" ON "deleted_calls" USING btree ("team_id","deleted_at","id");--> statement-breakpoint
CREATE INDEX "deleted_calls_files" ON "deleted_calls" USING btree ("team_id") WHERE files_removed_at is null;--> statement-breakpoint
CREATE INDEX "team_keys_team" ON "team_keys" USING btree ("team_id","created_at");