CREATE TABLE "appointments" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"calendar_id" text collate "C" NOT NULL,
	"reference" text collate "C" NOT NULL,
	"status" text NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"notes" text NOT NULL,
	"call_id" text collate "C",
	"request_key" text collate "C",
	"revision" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calendars" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"config" jsonb NOT NULL,
	"feed_hash" text collate "C" NOT NULL,
	"feed_sealed" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wait_list_entries" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"wait_list_id" text collate "C" NOT NULL,
	"ticket" bigint GENERATED ALWAYS AS IDENTITY (sequence name "wait_list_entries_ticket_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"notes" text NOT NULL,
	"call_id" text collate "C",
	"request_key" text collate "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wait_lists" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"config" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "appointments" ADD CONSTRAINT "appointments_calendar_id_calendars_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "public"."calendars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wait_list_entries" ADD CONSTRAINT "wait_list_entries_wait_list_id_wait_lists_id_fk" FOREIGN KEY ("wait_list_id") REFERENCES "public"."wait_lists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wait_lists" ADD CONSTRAINT "wait_lists_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "appointments_reference" ON "appointments" USING btree ("calendar_id","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "appointments_request" ON "appointments" USING btree ("request_key");--> statement-breakpoint
CREATE INDEX "appointments_time" ON "appointments" USING btree ("calendar_id","start_at") WHERE status = 'booked';--> statement-breakpoint
CREATE INDEX "calendars_team" ON "calendars" USING btree ("team_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "calendars_feed" ON "calendars" USING btree ("feed_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "wait_list_entries_request" ON "wait_list_entries" USING btree ("request_key");--> statement-breakpoint
CREATE INDEX "wait_list_entries_waiting" ON "wait_list_entries" USING btree ("wait_list_id","ticket") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "wait_lists_team" ON "wait_lists" USING btree ("team_id","id");